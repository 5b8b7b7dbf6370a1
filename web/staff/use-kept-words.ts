import { useEffect, useSyncExternalStore } from 'react'
import { onDraftsChange, type staffDraft } from './drafts.ts'
import { holdUnsaved, TYPED } from './unsaved.ts'

/**
 * Lets somebody leave the words of a draft without a question, as long as this device keeps just these; `onLost` hears
 * whether it does not. While they stand on the screen a session that ends takes nobody away from them.
 */
export const useKeptWords = (
  draft: Pick<ReturnType<typeof staffDraft>, 'isKept'>,
  { isDirty, onLost }: { isDirty: boolean; onLost: (isLost: boolean) => void },
) => {
  const isKept = useSyncExternalStore(onDraftsChange, draft.isKept)
  const isLost = isDirty && !isKept
  useEffect(() => (isDirty ? holdUnsaved({ ...TYPED, ...(isLost && { isLost }) }) : undefined), [isDirty, isLost])
  useEffect(() => {
    onLost(isLost)
    return () => onLost(false)
  }, [onLost, isLost])
}
