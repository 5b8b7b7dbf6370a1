import { useState } from 'react'
import { signInRules } from '../../../events/staff/wire.ts'
import { send } from '../../client/http.ts'
import { reasonOf } from '../../staff/requests/refusal.ts'
import { useGet } from '../../staff/requests/use-get.ts'
import { CheckField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'

const KEY = '/api/accounts/sign-in-rules'

/** The rules for every sign-in; a change by an owner is saved at once. */
export const SignInRules = () => {
  const { data: rules, mutate } = useGet(KEY, signInRules)
  const [problem, setProblem] = useState<string>()
  const [wanted, setWanted] = useState<boolean>()
  if (!rules) return null
  const change = async (isRequired: boolean) => {
    setWanted(isRequired)
    setProblem(undefined)
    try {
      const changed = { requiresTwoFactor: isRequired }
      await send('PUT', KEY, changed)
      await mutate(changed, { revalidate: false })
    } catch (error) {
      setProblem(reasonOf(error))
    }
    setWanted(undefined)
  }
  return (
    <div css={{ marginBottom: space.base }}>
      <CheckField
        id="requires-two-factor"
        label="Require two-factor sign-in for all accounts. Accounts without it set it up before anything else."
        checked={wanted ?? rules.requiresTwoFactor}
        disabled={wanted !== undefined}
        error={problem}
        onChange={({ target }) => change(target.checked)}
      />
    </div>
  )
}
