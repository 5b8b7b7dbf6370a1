import useSWR from 'swr'
import * as v from 'valibot'
import type { TokenForm } from '../../events/api-token.ts'
import { type ApiToken, apiTokens, madeToken } from '../../events/wire/api-token.ts'
import { postJson, request } from '../http.ts'
import { loader } from '../load.ts'

export const TOKENS_KEY = '/api/tokens'

/** The tokens by which programs call the API, newest first, and what owners do with them. */
export const useTokens = () => {
  const { data, error, mutate } = useSWR<ApiToken[]>(TOKENS_KEY, loader(apiTokens))
  return {
    tokens: data,
    error,
    retry: () => mutate(),
    /** Makes one, and answers it: nothing keeps it. */
    make: async (form: TokenForm) => {
      const { token } = v.parse(madeToken, await (await postJson(TOKENS_KEY, form)).json())
      await mutate()
      return token
    },
    revoke: async (id: string) => {
      await request(`${TOKENS_KEY}/${id}`, { method: 'DELETE' })
      await mutate()
    },
  }
}
