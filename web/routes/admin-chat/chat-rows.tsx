import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { ChatSession } from '../../../events/chat/wire.ts'
import { visitorNameOf } from '../../staff/chat/visitor-name.ts'
import { colour, space, type } from '../../ui/theme.ts'

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * The row that has the focus, `last`: one row is in the tab order, and `move` moves the focus from there by the arrow
 * keys. If the row with the focus goes away, the one in its place gets it.
 */
const useRowFocus = (ids: readonly string[], selected: string | undefined) => {
  const list = useRef<HTMLUListElement>(null)
  const [last, setLast] = useState<string>()
  const lastAt = useRef(-1)
  const inTabOrder = [last, selected].find((id) => id !== undefined && ids.includes(id)) ?? ids[0]

  const focusRow = (at: number) => list.current?.querySelectorAll('button')[at]?.focus()

  useLayoutEffect(() => {
    const at = last === undefined ? -1 : ids.indexOf(last)
    if (at >= 0 || last === undefined) {
      lastAt.current = at
      return
    }
    if (lastAt.current < 0 || document.activeElement !== document.body) return
    focusRow(Math.min(lastAt.current, ids.length - 1))
  })

  const move = (event: KeyboardEvent) => {
    const at = ids.indexOf(last ?? '')
    const step = STEPS[event.key]
    if (!step || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    focusRow(step(at, ids.length))
  }
  return { list, inTabOrder, setLast, move }
}

export type RowParts<Row> = {
  mark?: (session: Row) => ReactNode
  aside?: (session: Row) => ReactNode
  note: (session: Row) => ReactNode
  isStrong?: (session: Row) => boolean
}

const inOneLine = { display: 'flex', alignItems: 'center', gap: space.tight, minWidth: 0 } as const

/**
 * Sessions to choose from, in rows of two lines or three. One of them is in the tab order; the arrow keys move the
 * focus from there, and Enter chooses. If the row with the focus goes away, the one in its place gets it.
 */
export const ChatRows = <Row extends ChatSession>(
  props: RowParts<Row> & {
    label: string
    sessions: readonly Row[]
    selected: string | undefined
    onSelect: (sessionId: string) => void
  },
) => {
  const { sessions, selected } = props
  const { list, inTabOrder, setLast, move } = useRowFocus(
    sessions.map(({ sessionId }) => sessionId),
    selected,
  )
  return (
    <ul ref={list} aria-label={props.label} onKeyDown={move} css={{ overflowY: 'auto' }}>
      {sessions.map((session) => (
        <li key={session.sessionId} css={{ borderTop: `1px solid ${colour.line}` }}>
          <button
            type="button"
            data-session={session.sessionId}
            aria-pressed={session.sessionId === selected}
            tabIndex={session.sessionId === inTabOrder ? 0 : -1}
            onFocus={() => setLast(session.sessionId)}
            onBlur={(event) => {
              if (event.relatedTarget) setLast(undefined)
            }}
            onClick={() => props.onSelect(session.sessionId)}
            css={{
              display: 'grid',
              alignContent: 'center',
              width: '100%',
              minHeight: '3.5rem',
              padding: `${space.hair} ${space.snug} ${space.hair} calc(${space.snug} - 3px)`,
              border: 0,
              borderLeft: '3px solid transparent',
              background: 'transparent',
              fontSize: type.small,
              lineHeight: 1.4,
              textAlign: 'left',
              ':hover': { background: colour.sunk },
              ':focus-visible': { outlineOffset: -3 },
              '&[aria-pressed="true"]': { borderLeftColor: colour.accent, background: colour.accentWash },
            }}
          >
            <span css={inOneLine}>
              {props.mark?.(session)}
              <span
                css={{
                  overflow: 'hidden',
                  marginRight: 'auto',
                  fontSize: type.body,
                  fontWeight: props.isStrong?.(session) ? 700 : 500,
                  textOverflow: 'ellipsis',
                  whiteSpace: 'nowrap',
                }}
              >
                {visitorNameOf(session.visitorName)}
              </span>
              <span css={{ ...inOneLine, flex: 'none', gap: space.hair, color: colour.soft }}>
                {props.aside?.(session)}
              </span>
            </span>
            <span css={{ minHeight: '1.4em', minWidth: 0, color: colour.soft }}>{props.note(session)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
