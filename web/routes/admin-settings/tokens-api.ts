import { mutate } from 'swr'
import type { TokenForm } from '../../../events/staff/api-token.ts'
import { apiTokens, madeToken } from '../../../events/staff/api-token-wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { useGet } from '../../staff/requests/use-get.ts'

export const TOKENS_KEY = '/api/tokens'

export const useTokens = () => useGet(TOKENS_KEY, apiTokens)

/** Makes a token and returns it: it is shown once. */
export const makeToken = async (form: TokenForm) => {
  const { token } = await send('POST', TOKENS_KEY, form).then(read(madeToken))
  await mutate(TOKENS_KEY)
  return token
}

export const revokeToken = async (id: string) => {
  await send('DELETE', `${TOKENS_KEY}/${id}`)
  await mutate(TOKENS_KEY)
}
