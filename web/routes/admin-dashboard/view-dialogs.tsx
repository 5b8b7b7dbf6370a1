import type { Weekday } from '../../../events/settings/week-start.ts'
import { savedViewName } from '../../../events/staff/saved-view.ts'
import type { SavedView } from '../../../events/staff/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { dayInShort, dayOf } from '../../staff/day.ts'
import { FormDialog } from '../../staff/forms/form-dialog.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { readView } from '../../staff/leads/list/address.ts'
import { endsToday, PERIOD_NAMES, periodTitle, rangeOf } from '../../staff/leads/list/period.ts'
import { useSavedViews } from '../../staff/list/saved-views.ts'
import { toastFailure } from '../../staff/requests/refusal.ts'
import { useWeekStart } from '../../staff/settings/settings.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'

type Form = ReturnType<typeof useStaffForm<{ name?: string | null | undefined }, { name: string }>>

const NameForm = ({
  title,
  hint,
  form,
  onRemove,
  onClose,
}: {
  title: string
  hint?: string
  form: Form
  onRemove?: () => void
  onClose: () => void
}) => (
  <FormDialog
    title={title}
    action="Save"
    form={form}
    moreActions={
      onRemove && (
        <Button look="outline" onClick={onRemove}>
          Remove view
        </Button>
      )
    }
    onClose={onClose}
  >
    <TextField id="view-name" label="Name" autoComplete="off" {...(hint && { hint })} {...form.field('name')} />
  </FormDialog>
)

const OPENED = 'the day you open it'

/** Describes the dates of a view: a picked day, or days relative to today, with their current dates. */
const datesInWords = (query: string, weekStart: Weekday | undefined) => {
  const { period, day, until } = readView(new URLSearchParams(query))
  const today = dayOf(serverNow())
  const range = rangeOf(period, day ?? today, weekStart)
  if (!range) return day ? 'the same week' : 'the leads of the week in which you open it'
  const title = periodTitle(period, range)
  if (period === 'all') return 'all dates'
  if (endsToday(period)) return `the ${PERIOD_NAMES[period].toLowerCase()} up to ${OPENED} (today: ${title})`
  if (period === 'range') return `${day ? dayInShort(day) : OPENED} until ${until ? dayInShort(until) : OPENED}`
  if (day) return `the same dates: ${title}`
  return period === 'day'
    ? `the leads of ${OPENED} (today: ${title})`
    : `the leads of the ${period} in which you open it (now: ${title})`
}

export const SaveView = ({ query, onClose }: { query: string; onClose: () => void }) => {
  const { add } = useSavedViews()
  const weekStart = useWeekStart()
  const form = useStaffForm(savedViewName, {
    send: async ({ name }) => {
      await add({ name, query })
      onClose()
    },
  })
  return (
    <NameForm
      title="Save this view"
      hint={`Each time you open it, it shows ${datesInWords(query, weekStart)}.`}
      form={form}
      onClose={onClose}
    />
  )
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
  const removeIt = () => remove(view.id).then(onClose, (error) => toastFailure('The view was not removed', error))
  return <NameForm title="Edit this view" form={form} onRemove={removeIt} onClose={onClose} />
}
