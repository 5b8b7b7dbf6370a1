import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'

/** Asks within the chat before an action that cannot be undone. The safe choice comes first, and has the focus. */
export const Question = (props: {
  id: string
  title: string
  children: ReactNode
  safe: string
  onSafe: () => void
  final: string
  onFinal: () => void
}) => {
  const safe = useRef<HTMLButtonElement>(null)
  useEffect(() => safe.current?.focus(), [])
  return (
    <div
      role="alertdialog"
      aria-labelledby={props.id}
      aria-describedby={`${props.id}-consequence`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        props.onSafe()
      }}
      css={{
        display: 'grid',
        alignContent: 'start',
        gap: space.snug,
        flex: 1,
        padding: space.roomy,
        overflowY: 'auto',
      }}
    >
      <h3 id={props.id} css={{ fontSize: type.step, letterSpacing: 0 }}>
        {props.title}
      </h3>
      <div id={`${props.id}-consequence`} css={{ display: 'grid', gap: space.tight, color: colour.soft }}>
        {props.children}
      </div>
      <Button ref={safe} onClick={props.onSafe}>
        {props.safe}
      </Button>
      <Button look="outline" onClick={props.onFinal}>
        {props.final}
      </Button>
    </div>
  )
}
