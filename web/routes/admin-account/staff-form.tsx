import type { ReactNode } from 'react'
import { FormProblem } from '../../staff/forms/form-problem.tsx'
import { useFirstFocus } from '../../staff/forms/use-first-focus.ts'
import type { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'

type StaffFormProps = {
  form: Pick<ReturnType<typeof useStaffForm>, 'onSubmit' | 'isSending' | 'problem'>
  label: string
  /** The label of the submit button; `busyAction` is its label while the form is sent. */
  action: string
  busyAction?: string
  /** The result, read out as it appears. */
  done?: string | false
  /** Set if the form replaces the button that opened it. The form then takes the focus. */
  onCancel?: () => void
  /** Set for fields that need the whole width. */
  isWide?: true
  children: ReactNode
}

/** A form on a staff page: its fields, the problem, and the submit button. */
export const StaffForm = ({
  form,
  label,
  action,
  busyAction = action,
  done,
  onCancel,
  isWide,
  children,
}: StaffFormProps) => {
  const element = useFirstFocus<HTMLFormElement>(onCancel !== undefined)
  return (
    <form
      ref={element}
      tabIndex={-1}
      noValidate
      onSubmit={form.onSubmit}
      aria-label={label}
      css={{ display: 'grid', gap: space.base, maxWidth: isWide ? '40rem' : '24rem', outline: 'none' }}
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
