import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { holdUnsaved } from './unsaved.ts'

/**
 * Asks before what was typed is left unsaved: for another screen, or another view of this one, by a question of ours, for
 * another page by the browser's. At most one stands on a screen.
 */
export const LeaveGuard = ({ isDirty }: { isDirty: boolean }) => {
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: next }) =>
      isDirty && next.pathname + next.search !== here.pathname + here.search,
  )
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    const letGo = holdUnsaved()
    addEventListener('beforeunload', ask)
    return () => {
      letGo()
      removeEventListener('beforeunload', ask)
    }
  }, [isDirty])
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog title="Leave without saving?" onClose={blocker.reset}>
      <p>What you have changed here is not saved yet.</p>
      <DialogActions>
        <Button onClick={blocker.reset}>Stay here</Button>
        <Button look="outline" onClick={blocker.proceed}>
          Leave without saving
        </Button>
      </DialogActions>
    </Dialog>
  )
}
