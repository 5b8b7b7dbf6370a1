import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'
import { toast } from '../../../ui/toast/toasts.ts'
import { toastFailure } from '../../requests/refusal.ts'
import { undoChange } from '../lead.ts'

/** The effects that an undo cannot reverse, as text. */
export const LASTING: Record<string, string> = {
  answer_email: 'The email itself can’t be recalled.',
  chat_answer:
    'Your messages stay in the chat. To count them again, press "Count your reply as the answer" in the chat.',
} satisfies { [kind in TimelineEntry['kind'] & string]?: string }

/** Calls `undo`, and shows whether it succeeded and which part remains (`left`); never throws. */
export const undoWithToast = async (undo: () => Promise<unknown>, left?: string): Promise<void> => {
  try {
    await undo()
    toast({ title: 'Undone', ...(left && { description: left }) })
  } catch (error) {
    toastFailure('Couldn’t undo', error)
  }
}

type Undoing = { leadId: string; eventId: string | null; onUndone: () => unknown; left?: string | undefined }

/** The part of a toast that offers to undo a change by its event; empty if no event was appended. */
export const undoAction = ({ leadId, eventId, onUndone, left }: Undoing) => {
  const run = (id: string) => undoWithToast(() => undoChange(leadId, id), left).then(() => onUndone())
  return eventId === null ? {} : { action: { label: 'Undo', run: () => run(eventId) } }
}
