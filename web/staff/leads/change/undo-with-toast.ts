import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'
import { toast } from '../../../ui/toast/toasts.ts'
import { toastFailure } from '../../requests/refusal.ts'

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
    toast({ title: 'Undone', ...(left && { description: left }), variant: 'default' })
  } catch (error) {
    toastFailure('Couldn’t undo', error)
  }
}
