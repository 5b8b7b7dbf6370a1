import { toast } from '../ui/toast/toasts.ts'
import type { staffDraft } from './drafts.ts'

/**
 * Gives up a draft and closes its form, with a notice (`title`) whose Undo puts the draft back and opens the form again;
 * `begun` is what that says where another one was begun since.
 */
export const discardDraft = (
  draft: Pick<ReturnType<typeof staffDraft>, 'discard'>,
  { title, begun, onClose, onOpen }: { title: string; begun: string; onClose: () => void; onOpen: () => void },
) => {
  const putBack = draft.discard()
  onClose()
  const run = () => {
    if (putBack()) onOpen()
    else toast({ title: begun, variant: 'destructive' })
  }
  toast({ title, variant: 'default', action: { label: 'Undo', run } })
}
