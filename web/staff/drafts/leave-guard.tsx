import { useEffect, useSyncExternalStore } from 'react'
import { useBlocker } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { space } from '../../ui/theme.ts'
import { discardGuarded, guardedWords, type LeaveWords, onUnsavedChange } from './unsaved.ts'

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

const Guard = ({ words }: { words: LeaveWords }) => {
  const blocker = useBlocker(
    ({ currentLocation: current, nextLocation: next }) =>
      guardedWords() !== undefined && next.pathname + next.search !== current.pathname + current.search,
  )
  useEffect(() => {
    const askBefore = (event: BeforeUnloadEvent) => {
      if (guardedWords()) event.preventDefault()
    }
    addEventListener('beforeunload', askBefore)
    return () => removeEventListener('beforeunload', askBefore)
  }, [])
  if (blocker.state !== 'blocked') return null
  const leave = () => {
    discardGuarded()
    blocker.proceed()
  }
  return <LeaveQuestion words={words} onStay={blocker.reset} onLeave={leave} />
}

/**
 * Asks before unsaved work (`useUnsaved`) is left: our own question for another screen or another view of this one, the
 * browser's for another page. The router blocks only while something is unsaved: it warns of each history entry that it
 * has not made, such as a part of a page.
 */
export const LeaveGuard = () => {
  const words = useSyncExternalStore(onUnsavedChange, guardedWords)
  return words && <Guard words={words} />
}
