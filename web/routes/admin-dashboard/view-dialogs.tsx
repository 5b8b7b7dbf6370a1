import { savedViewName } from '../../../events/saved-view.ts'
import type { SavedView } from '../../../events/wire/staff.ts'
import { FormProblem } from '../../staff/form-problem.tsx'
import { reasonOf } from '../../staff/refusal.ts'
import { useSavedViews } from '../../staff/saved-views.ts'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'

type Form = ReturnType<typeof useStaffForm<{ name?: string | null | undefined }, { name: string }>>

const NameForm = ({
  title,
  form,
  onRemove,
  onClose,
}: {
  title: string
  form: Form
  onRemove?: () => void
  onClose: () => void
}) => (
  <Dialog title={title} onClose={onClose}>
    <form noValidate onSubmit={form.onSubmit} aria-label={title} css={{ display: 'grid', gap: space.base }}>
      <TextField id="view-name" label="Name" autoComplete="off" {...form.field('name')} />
      <FormProblem problem={form.problem} />
      <DialogActions>
        <Button type="submit" disabled={form.isSending}>
          Save
        </Button>
        {onRemove && (
          <Button look="outline" onClick={onRemove}>
            Remove view
          </Button>
        )}
        <Button look="outline" onClick={onClose}>
          Cancel
        </Button>
      </DialogActions>
    </form>
  </Dialog>
)

/** Keeps what the dashboard shows under a name. */
export const SaveView = ({ query, onClose }: { query: string; onClose: () => void }) => {
  const { add } = useSavedViews()
  const form = useStaffForm(savedViewName, {
    send: async ({ name }) => {
      await add({ name, query })
      onClose()
    },
  })
  return <NameForm title="Save this view" form={form} onClose={onClose} />
}

/** Renames one of one's own views, or removes it. */
export const EditView = ({ view, onClose }: { view: SavedView; onClose: () => void }) => {
  const { rename, remove } = useSavedViews()
  const form = useStaffForm(savedViewName, {
    defaultValues: { name: view.name },
    send: async ({ name }) => {
      await rename(view.id, name)
      onClose()
    },
  })
  const removeIt = () =>
    remove(view.id).then(onClose, (error) =>
      toast({ title: 'The view was not removed', description: reasonOf(error), variant: 'destructive' }),
    )
  return <NameForm title="Edit this view" form={form} onRemove={removeIt} onClose={onClose} />
}
