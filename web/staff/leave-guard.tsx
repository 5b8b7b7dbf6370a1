import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { holdUnsaved } from './unsaved.ts'

/** Has the browser ask before this page is left for another one, while something on it is not done. */
export const useLeaveWarning = (isUndone: boolean) =>
  useEffect(() => {
    if (!isUndone) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    const letGo = holdUnsaved()
    addEventListener('beforeunload', ask)
    return () => {
      letGo()
      removeEventListener('beforeunload', ask)
    }
  }, [isUndone])

const UNSAVED = {
  title: 'Leave without saving?',
  text: 'What you have changed here is not saved yet.',
  leave: 'Leave without saving',
}

/**
 * Asks before what was typed is left unsaved: for another screen, or another view of this one, by a question of ours
 * (`words`), for another page by the browser's. At most one stands on a screen. `onLeave`: what was typed is given up.
 */
export const LeaveGuard = (props: { isDirty: boolean; onLeave?: () => void; words?: typeof UNSAVED }) => {
  const { isDirty, onLeave, words = UNSAVED } = props
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: next }) =>
      isDirty && next.pathname + next.search !== here.pathname + here.search,
  )
  useLeaveWarning(isDirty)
  if (blocker.state !== 'blocked') return null
  const goOn = () => {
    onLeave?.()
    blocker.proceed()
  }
  return (
    <Dialog title={words.title} onClose={blocker.reset}>
      <p>{words.text}</p>
      <DialogActions>
        <Button onClick={blocker.reset}>Stay here</Button>
        <Button look="outline" onClick={goOn}>
          {words.leave}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
