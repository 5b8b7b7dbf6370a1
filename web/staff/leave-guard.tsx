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

/** What a guard asks with. `onLeave`: what was typed is given up. */
type Guard = { onLeave?: () => void; words?: typeof UNSAVED }

const Question = ({ onLeave, words = UNSAVED }: Guard) => {
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: next }) => next.pathname + next.search !== here.pathname + here.search,
  )
  useLeaveWarning(true)
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

/**
 * Asks before what was typed is left unsaved: for another screen, or another view of this one, by a question of ours
 * (`words`), for another page by the browser's. At most one stands on a screen. The router knows of it only while something
 * is unsaved: it warns of each entry of the history that it has not made, such as a part of a page.
 */
export const LeaveGuard = ({ isDirty, ...guard }: Guard & { isDirty: boolean }) =>
  isDirty ? <Question {...guard} /> : null
