import type { TokenForm } from '../../../events/api-token.ts'
import { apiTokens, madeToken } from '../../../events/wire/api-token.ts'
import { read } from '../../get.ts'
import { send } from '../../http.ts'
import { useGet } from '../../staff/use-get.ts'

export const TOKENS_KEY = '/api/tokens'

/** The tokens by which programs call the API, newest first, and the changes that owners make to them. */
export const useTokens = () => {
  const { data, error, mutate } = useGet(TOKENS_KEY, apiTokens)
  return {
    tokens: data,
    error,
    retry: () => mutate(),
    /** Makes a token and returns it: it is shown this once. */
    make: async (form: TokenForm) => {
      const { token } = await send('POST', TOKENS_KEY, form).then(read(madeToken))
      await mutate()
      return token
    },
    revoke: async (id: string) => {
      await send('DELETE', `${TOKENS_KEY}/${id}`)
      await mutate()
    },
  }
}
