import { useEffect, useEffectEvent } from 'react'
import { toast } from '../ui/toast/toasts.ts'
import type { staffDraft } from './drafts.ts'
import { holdUnsaved, type LeaveWords } from './unsaved.ts'

const KEPT: LeaveWords = {
  title: 'Leave without saving?',
  text: 'What you typed here is not saved yet.',
  leave: 'Leave without saving',
}

/**
 * Lets somebody leave the words of a draft without a question, and says that they are kept; `what` names them. While they
 * stand on the screen a session that ends takes nobody away from them.
 */
export const useKeptWords = (
  draft: Pick<ReturnType<typeof staffDraft>, 'isKept'>,
  { isDirty, what }: { isDirty: boolean; what: string },
) => {
  useEffect(() => (isDirty ? holdUnsaved(KEPT) : undefined), [isDirty])
  const tell = useEffectEvent(() => {
    if (!draft.isKept()) return
    const description = 'This device keeps it until you send it, discard it or sign out.'
    toast({ title: `${what} is kept`, description, variant: 'default' })
  })
  useEffect(() => () => tell(), [])
}
