import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { space } from '../ui/theme.ts'
import { holdUnsaved, isAnythingUnsaved, type LeaveWords } from './unsaved.ts'

const UNSAVED: LeaveWords = {
  title: 'Leave without saving?',
  text: 'What you have changed here is not saved yet.',
  leave: 'Leave without saving',
}

/** Has the browser ask before this page is left for another one, and sign-out ask by `words`, while a task is undone. */
export const useLeaveWarning = (isUndone: boolean, words = UNSAVED) =>
  useEffect(() => {
    if (!isUndone) return
    const ask = (event: BeforeUnloadEvent) => {
      if (isAnythingUnsaved()) event.preventDefault()
    }
    const letGo = holdUnsaved(words)
    addEventListener('beforeunload', ask)
    return () => {
      letGo()
      removeEventListener('beforeunload', ask)
    }
  }, [isUndone, words])

/** Asks whether to leave what is unsaved. */
export const LeaveQuestion = (props: { words: LeaveWords; onStay: () => void; onLeave: () => void }) => (
  <Dialog title={props.words.title} onClose={props.onStay}>
    {props.words.lost && <p>{props.words.lost}</p>}
    <p>{props.words.text}</p>
    {props.words.items && (
      <ul
        css={{
          display: 'grid',
          gap: space.hair,
          margin: `${space.tight} 0`,
          paddingLeft: '1.25rem',
          listStyle: 'disc',
        }}
      >
        {props.words.items.map(({ id, line }) => (
          <li key={id} css={{ overflowWrap: 'anywhere' }}>
            {line}
          </li>
        ))}
      </ul>
    )}
    <DialogActions>
      <Button onClick={props.onStay}>Stay here</Button>
      <Button look="outline" onClick={props.onLeave}>
        {props.words.leave}
      </Button>
    </DialogActions>
  </Dialog>
)

/** What a guard asks with. `onLeave`: what was typed is given up. */
type Guard = { onLeave?: () => void; words?: LeaveWords }

const Question = ({ onLeave, words = UNSAVED }: Guard) => {
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: next }) => next.pathname + next.search !== here.pathname + here.search,
  )
  useLeaveWarning(true, words)
  if (blocker.state !== 'blocked') return null
  const goOn = () => {
    onLeave?.()
    blocker.proceed()
  }
  return <LeaveQuestion words={words} onStay={blocker.reset} onLeave={goOn} />
}

/**
 * Asks before what was typed is left unsaved: for another screen, or another view of this one, or to sign out, by a
 * question of ours (`words`), for another page by the browser's. At most one stands on a screen. The router knows of it
 * only while something is unsaved: it warns of each entry of the history that it has not made, such as a part of a page.
 */
export const LeaveGuard = ({ isDirty, ...guard }: Guard & { isDirty: boolean }) =>
  isDirty ? <Question {...guard} /> : null
