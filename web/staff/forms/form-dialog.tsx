import type { ReactNode } from 'react'
import * as v from 'valibot'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, firstFocus } from '../../ui/dialog.tsx'
import { space } from '../../ui/theme.ts'
import { FormProblem } from './form-problem.tsx'
import { SessionEnded } from './session-ended.tsx'
import { useStaffForm } from './use-staff-form.ts'

type DialogFormProps = {
  form: Pick<ReturnType<typeof useStaffForm>, 'onSubmit' | 'isSending' | 'problem'>
  /** The label of the submit button, and its label while the form is sent. */
  action: string
  busyAction?: string
  label?: string
  /** Whether the action cannot be undone: `Cancel` then has the initial focus. */
  isFinal?: boolean
  /** False until all parts of the question are shown: it cannot be sent before. */
  isReady?: boolean
  /** Buttons between the one that sends and the one that cancels. */
  moreActions?: ReactNode
  /** The buttons that close it, if there are others than `Cancel`. */
  waysOut?: ReactNode
  onClose: () => void
  children: ReactNode
}

/**
 * A form that fills a dialog: the problem, the way to sign in once the session has ended, and the buttons to submit and
 * to cancel.
 */
export const DialogForm = ({
  form,
  action,
  busyAction = action,
  label,
  isFinal = false,
  isReady = true,
  moreActions,
  waysOut,
  onClose,
  children,
}: DialogFormProps) => (
  <form noValidate onSubmit={form.onSubmit} aria-label={label} css={{ display: 'grid', gap: space.base }}>
    {children}
    <SessionEnded />
    <FormProblem problem={form.problem} />
    <DialogActions>
      <Button type="submit" disabled={form.isSending || !isReady}>
        {form.isSending ? busyAction : action}
      </Button>
      {moreActions}
      {waysOut ?? (
        <Button ref={isFinal ? firstFocus : undefined} look="outline" onClick={onClose}>
          Cancel
        </Button>
      )}
    </DialogActions>
  </form>
)

export const FormDialog = ({ title, ...form }: Omit<DialogFormProps, 'label'> & { title: string }) => (
  <Dialog title={title} onClose={form.onClose}>
    <DialogForm label={title} {...form} />
  </Dialog>
)

type FinalDialogProps = Pick<DialogFormProps, 'action' | 'onClose' | 'children'> & {
  title: string
  act: () => Promise<unknown>
}

/** Asks before an action that cannot be undone, and closes once it is done. */
export const FinalDialog = ({ act, ...dialog }: FinalDialogProps) => {
  const form = useStaffForm(v.object({}), { send: () => act().then(dialog.onClose) })
  return <FormDialog {...dialog} form={form} isFinal />
}
