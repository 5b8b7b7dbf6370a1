import { useState } from 'react'
import { flushSync } from 'react-dom'
import * as v from 'valibot'
import { recoveryCodes, type TwoFactor, twoFactor, twoFactorSecret } from '../../../events/staff/wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { FormProblem } from '../../staff/forms/form-problem.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { Pending } from '../../staff/placeholder.tsx'
import { useGet } from '../../staff/requests/use-get.ts'
import { SettingsSection } from '../../staff/settings/section-layout.tsx'
import { Button } from '../../ui/button.tsx'
import { space } from '../../ui/theme.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpTwoFactor } from './set-up-two-factor.tsx'
import { StaffForm } from './staff-form.tsx'

const KEY = '/api/me/two-factor'

const useTwoFactor = () => {
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
    renewCodes: () => codesOf(`${KEY}/codes`, {}),
    turnOff: async () => {
      await send('POST', `${KEY}/off`, {})
      await mutate()
    },
  }
}

/** Requests a new secret for an authenticator app. It is stored once a code from it was entered. */
const requestSecret = () => send('POST', `${KEY}/secret`, {}).then(read(twoFactorSecret))

const SECTION = 'two-factor'

/** Moves the focus to the title once the form or the codes that had it are gone. */
const focusTitle = () => document.getElementById(`${SECTION}-title`)?.focus()

/** A change of the second factor, with its consequences explained first. */
const Change = ({
  action,
  send,
  onCancel,
  children,
}: {
  action: string
  send: () => Promise<unknown>
  onCancel: () => void
  children: string
}) => {
  const form = useStaffForm(v.object({}), { send })
  return (
    <StaffForm form={form} label={action} action={action} onCancel={onCancel}>
      <p>{children}</p>
    </StaffForm>
  )
}

/** Sets up the second factor with a secret that is made when setup begins. */
const Off = ({ onTurnOn }: { onTurnOn: Parameters<typeof SetUpTwoFactor>[0]['turnOn'] }) => {
  const [secret, setSecret] = useState<v.InferOutput<typeof twoFactorSecret>>()
  const begin = useStaffForm(v.object({}), { send: async () => setSecret(await requestSecret()) })
  const cancel = () => {
    setSecret(undefined)
    focusTitle()
  }
  if (secret) return <SetUpTwoFactor secret={secret} turnOn={onTurnOn} onCancel={cancel} />
  return (
    <form noValidate onSubmit={begin.onSubmit} css={{ display: 'grid', gap: space.base, justifyItems: 'start' }}>
      <p>It is off. Your password alone signs you in.</p>
      <FormProblem problem={begin.problem} />
      <Button type="submit" disabled={begin.isSending}>
        Set up two-factor sign-in
      </Button>
    </form>
  )
}

const On = ({
  state: { codesLeft, isRequired },
  renew,
  turnOff,
}: {
  state: TwoFactor
  renew: () => Promise<void>
  turnOff: () => Promise<void>
}) => {
  const [doing, setDoing] = useState<'renew' | 'off'>()
  const stop = () => {
    setDoing(undefined)
    focusTitle()
  }
  if (doing === 'renew') {
    return (
      <Change action="Make new codes" send={renew} onCancel={stop}>
        The old recovery codes stop working at once.
      </Change>
    )
  }
  if (doing === 'off') {
    return (
      <Change action="Turn off two-factor sign-in" send={turnOff} onCancel={stop}>
        Your password alone signs you in then.
      </Change>
    )
  }
  return (
    <div css={{ display: 'grid', gap: space.base }}>
      <p>
        It is on. {codesLeft} recovery {codesLeft === 1 ? 'code is' : 'codes are'} left.
        {isRequired && ' It is required for all accounts here.'}
      </p>
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        <Button look="outline" onClick={() => setDoing('renew')}>
          New recovery codes
        </Button>
        {!isRequired && (
          <Button look="outline" onClick={() => setDoing('off')}>
            Turn off
          </Button>
        )}
      </div>
    </div>
  )
}

/**
 * The staff member's second factor: a code of an authenticator app, besides the password. `onDone`: it is on, and the
 * codes are stored.
 */
export const TwoFactorSection = ({ onDone }: { onDone?: () => void }) => {
  const { state, error, retry, turnOn, renewCodes, turnOff } = useTwoFactor()
  const [codes, setCodes] = useState<string[]>()
  const off = async () => {
    await turnOff()
    focusTitle()
  }
  const done = () => {
    // no question is due before leaving if `onDone` loads the page again
    flushSync(() => setCodes(undefined))
    focusTitle()
    onDone?.()
  }
  return (
    <SettingsSection
      id={SECTION}
      title="Two-factor sign-in"
      intro="Sign in with your password and a code from your phone. Turning it on signs you out everywhere else."
    >
      <Pending what="two-factor sign-in" isLoading={!state} error={error} retry={retry} />
      {codes && <RecoveryCodes codes={codes} onDone={done} />}
      {state && !codes && !state.isOn && <Off onTurnOn={async (form) => setCodes(await turnOn(form))} />}
      {state?.isOn && !codes && <On state={state} renew={async () => setCodes(await renewCodes())} turnOff={off} />}
    </SettingsSection>
  )
}
