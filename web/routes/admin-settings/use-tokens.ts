import type { TokenForm } from '../../../events/staff/api-token.ts'
import { apiTokens, madeToken } from '../../../events/staff/api-token-wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { useGet } from '../../staff/use-get.ts'

export const TOKENS_KEY = '/api/tokens'

/** The tokens by which programs call the API, newest first, and the changes that owners make to them. */
export const useTokens = () => {
  const { data, error, mutate } = useGet(TOKENS_KEY, apiTokens)
  return {
    tokens: data,
    error,
    retry: () => mutate(),
    /** Makes a token and returns it: it is shown once. */
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
