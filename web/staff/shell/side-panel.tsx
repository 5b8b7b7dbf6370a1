import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { colour, from, radius, shadow, space, type } from '../../ui/theme.ts'

/** The part of a small screen that a panel takes. */
export const PANEL_HEIGHT = '60dvh'

/**
 * The columns of a list with a panel of 420 px next to it. In a small window the panel covers the list, and the last
 * rows can be scrolled to above it.
 */
export const withPanel = {
  paddingBottom: PANEL_HEIGHT,
  [from.large]: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) 26.25rem',
    alignItems: 'start',
    gap: space.base,
    paddingBottom: 0,
  },
} as const

/** A panel at the right of a screen, in sight however far it is scrolled; in a small window over its lower part. */
export const SidePanel = (props: {
  name: string
  title: ReactNode
  note: ReactNode
  action: ReactNode
  onClose: () => void
  children: ReactNode
}) => (
  <aside
    aria-label={props.name}
    css={{
      display: 'flex',
      flexDirection: 'column',
      position: 'fixed',
      inset: 'auto 0 var(--bar, 0px) 0',
      zIndex: 2,
      height: PANEL_HEIGHT,
      overflow: 'hidden',
      border: `1px solid ${colour.line}`,
      borderRadius: `${radius.card} ${radius.card} 0 0`,
      background: colour.paper,
      boxShadow: shadow.floating,
      [from.large]: {
        position: 'sticky',
        inset: `calc(${space.base} + var(--top, 0px)) auto auto auto`,
        // also below the filters of a list that is not scrolled
        height: 'calc(100dvh - 4.5rem - var(--top, 0px))',
        borderRadius: radius.card,
        boxShadow: 'none',
      },
    }}
  >
    <div
      css={{
        display: 'flex',
        alignItems: 'center',
        gap: space.tight,
        padding: `${space.tight} ${space.tight} ${space.tight} ${space.base}`,
        borderBottom: `1px solid ${colour.line}`,
      }}
    >
      <h2 css={{ flex: 1, minWidth: 0, fontSize: '0.9375rem', overflowWrap: 'anywhere' }}>{props.title}</h2>
      <span css={{ color: colour.soft, fontSize: type.small, whiteSpace: 'nowrap' }}>{props.note}</span>
      {props.action}
      <Button look="quiet" onClick={props.onClose} aria-label="Close" css={{ borderColor: 'transparent' }}>
        <CloseIcon />
      </Button>
    </div>
    {/* parts at the top or the foot are so in the panel; `cqh` is of its height */}
    <div
      css={{
        '--top': '0px',
        '--bar': '0px',
        flex: 1,
        minHeight: 0,
        padding: `${space.snug} ${space.base} 0`,
        containerType: 'size',
        overflow: 'auto',
        '&::after': { content: '""', display: 'block', height: space.base },
      }}
    >
      {props.children}
    </div>
  </aside>
)
