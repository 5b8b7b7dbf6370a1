import useSWR from 'swr'
import * as v from 'valibot'
import { recoveryCodes, signInRules, type TwoFactor, twoFactor, twoFactorSecret } from '../../events/wire/staff.ts'
import { postJson, sendJson } from '../http.ts'
import { loader } from '../load.ts'

const KEY = '/api/me/two-factor'
const RULES_KEY = '/api/accounts/sign-in-rules'

/** One's own second factor, and what is done with it. */
export const useTwoFactor = () => {
  const { data, error, mutate } = useSWR<TwoFactor>(KEY, loader(twoFactor))
  const codesOf = async (answer: Promise<Response>) => {
    const { codes } = v.parse(recoveryCodes, await (await answer).json())
    await mutate()
    return codes
  }
  return {
    state: data,
    error,
    retry: () => mutate(),
    /** Turns it on, and answers the recovery codes. */
    turnOn: (form: { secret: string; code: string }) => codesOf(postJson(KEY, form)),
    /** Makes new recovery codes in place of the old ones. */
    renewCodes: () => codesOf(postJson(`${KEY}/codes`, {})),
    turnOff: async () => {
      await postJson(`${KEY}/off`, {})
      await mutate()
    },
  }
}

/** A new secret for an authenticator app. Nothing keeps it until a code of it has come. */
export const askForSecret = async () => v.parse(twoFactorSecret, await (await postJson(`${KEY}/secret`, {})).json())

/** What owners require of everybody who signs in, and how to change it. */
export const useSignInRules = () => {
  const { data, mutate } = useSWR(RULES_KEY, loader(signInRules))
  return {
    rules: data,
    require: async (requiresTwoFactor: boolean) => {
      await sendJson('PUT', RULES_KEY, { requiresTwoFactor })
      await mutate({ requiresTwoFactor }, { revalidate: false })
    },
  }
}
