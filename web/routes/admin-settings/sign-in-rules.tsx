import { useState } from 'react'
import { reasonOf } from '../../staff/refusal.ts'
import { useSignInRules } from '../../staff/two-factor.ts'
import { CheckField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'

/** What is required of everybody who signs in, for owners to change at once. */
export const SignInRules = () => {
  const { rules, require } = useSignInRules()
  const [problem, setProblem] = useState<string>()
  const [wanted, setWanted] = useState<boolean>()
  if (!rules) return null
  const change = async (isRequired: boolean) => {
    setWanted(isRequired)
    setProblem(undefined)
    await require(isRequired).catch((error) => setProblem(reasonOf(error)))
    setWanted(undefined)
  }
  return (
    <div css={{ marginBottom: space.base }}>
      <CheckField
        id="requires-two-factor"
        label="Require two-factor sign-in of everybody. Who has none sets it up before anything else."
        checked={wanted ?? rules.requiresTwoFactor}
        disabled={wanted !== undefined}
        error={problem}
        onChange={({ target }) => change(target.checked)}
      />
    </div>
  )
}
