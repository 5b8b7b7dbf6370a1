import { recoveryCodes, twoFactor, twoFactorSecret } from '../../../events/staff/wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { useGet } from '../../staff/use-get.ts'

const KEY = '/api/me/two-factor'

/** The staff member's own second factor, and how to change it. */
export const useTwoFactor = () => {
  const { data, error, mutate } = useGet(KEY, twoFactor)
  const codesOf = async (path: string, form: object) => {
    const { codes } = await send('POST', path, form).then(read(recoveryCodes))
    await mutate()
    return codes
  }
  return {
    state: data,
    error,
    retry: () => mutate(),
    /** Turns it on and returns the recovery codes. */
    turnOn: (form: { secret: string; code: string }) => codesOf(KEY, form),
    /** Makes new recovery codes in place of the old ones. */
    renewCodes: () => codesOf(`${KEY}/codes`, {}),
    turnOff: async () => {
      await send('POST', `${KEY}/off`, {})
      await mutate()
    },
  }
}

/** Requests a new secret for an authenticator app. It is stored once a code from it was entered. */
export const requestSecret = () => send('POST', `${KEY}/secret`, {}).then(read(twoFactorSecret))
