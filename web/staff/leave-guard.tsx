import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'

/** Asks before what was typed is left unsaved: for another screen by a question of ours, for another page by the browser's. */
export const LeaveGuard = ({ isDirty }: { isDirty: boolean }) => {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && nextLocation.pathname !== currentLocation.pathname,
  )
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
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
