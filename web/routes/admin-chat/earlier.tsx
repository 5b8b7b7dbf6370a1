import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { Button } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'

/** Keeps a list's first message in its place while more is inserted above it. */
const insertAbove = (list: HTMLElement, insert: () => void) => {
  const first = list.querySelector('li:not([data-day])')
  const topOf = () => first?.getBoundingClientRect().top ?? 0
  const before = topOf()
  insert()
  list.scrollTop += topOf() - before
}

/** Loads the messages before the first one of the list that contains this button. */
export const Earlier = (props: { read: () => Promise<ChatMessage[]>; onRead: (earlier: ChatMessage[]) => void }) => {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')

  const load = async (list: HTMLElement | null) => {
    if (state === 'loading') return
    setState('loading')
    try {
      const earlier = await props.read()
      // the button goes away once the first message is loaded
      if (earlier[0]?.sequence === 1 && list?.contains(document.activeElement)) list.focus({ preventScroll: true })
      const show = () =>
        flushSync(() => {
          setState('idle')
          props.onRead(earlier)
        })
      if (list) insertAbove(list, show)
    } catch (error) {
      console.warn('The earlier messages were not loaded:', error)
      setState('failed')
    }
  }
  return (
    <div css={{ display: 'grid', justifyItems: 'center', gap: space.tight, paddingBottom: space.base }}>
      <Button
        look="quiet"
        aria-disabled={state === 'loading'}
        onClick={({ currentTarget }) => load(currentTarget.closest<HTMLElement>('[role=log]'))}
      >
        {state === 'loading' ? 'Loading...' : 'Show earlier messages'}
      </Button>
      <p role="status" css={{ color: colour.bad, fontSize: type.small, ':empty': { display: 'none' } }}>
        {state === 'failed' && 'They could not be loaded. Try again.'}
      </p>
    </div>
  )
}
