import type { ReactNode } from 'react'
import { FormProblem } from '../../staff/form-problem.tsx'
import { useFirstFocus } from '../../staff/use-first-focus.ts'
import type { useStaffForm } from '../../staff/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'

type StaffFormProps = {
  form: Pick<ReturnType<typeof useStaffForm>, 'onSubmit' | 'isSending' | 'problem'>
  label: string
  /** What the button that sends it says, and what it says while it does. */
  action: string
  busyAction?: string
  /** What came of it, read out as it appears. */
  done?: string | false
  /** Given where the form takes the place of the button that opened it. The form then takes the focus. */
  onCancel?: () => void
  children: ReactNode
}

/** A form on a page of staff: its fields, what went wrong, and the button that sends it. */
export const StaffForm = ({ form, label, action, busyAction = action, done, onCancel, children }: StaffFormProps) => {
  const element = useFirstFocus<HTMLFormElement>(onCancel !== undefined)
  return (
    <form
      ref={element}
      tabIndex={-1}
      noValidate
      onSubmit={form.onSubmit}
      aria-label={label}
      css={{ display: 'grid', gap: space.base, maxWidth: '24rem', outline: 'none' }}
    >
      {children}
      <FormProblem problem={form.problem} />
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        <Button type="submit" disabled={form.isSending}>
          {form.isSending ? busyAction : action}
        </Button>
        {onCancel && (
          <Button look="outline" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      <p role="status" css={{ color: colour.soft, fontSize: type.small, ':empty': { display: 'none' } }}>
        {done}
      </p>
    </form>
  )
}
