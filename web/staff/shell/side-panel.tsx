import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { colour, from, radius, shadow, space } from '../../ui/theme.ts'

/** The part of a small screen that a panel takes at most. */
export const PANEL_HEIGHT = '60dvh'

/**
 * The columns of a list with a panel next to it: 320 px of properties, or 420 px of a whole item. In a small window the
 * panel covers the list, and the last rows can be scrolled to above it.
 */
export const withPanel = (width: 320 | 420 = 420) =>
  ({
    paddingBottom: PANEL_HEIGHT,
    [from.large]: {
      display: 'grid',
      gridTemplateColumns: `minmax(0, 1fr) ${width / 16}rem`,
      alignItems: 'start',
      gap: space.base,
      paddingBottom: 0,
    },
  }) as const

/** A panel at the right of a screen, in sight however far it is scrolled; in a small window over its lower part. */
export const SidePanel = ({
  name,
  title,
  onClose,
  children,
}: {
  name: string
  title: ReactNode
  onClose: () => void
  children: ReactNode
}) => (
  <aside
    aria-label={name}
    css={{
      position: 'fixed',
      inset: 'auto 0 var(--bar, 0px) 0',
      zIndex: 2,
      maxHeight: PANEL_HEIGHT,
      overflow: 'auto',
      padding: space.base,
      border: `1px solid ${colour.line}`,
      borderRadius: `${radius.card} ${radius.card} 0 0`,
      background: colour.sheet,
      boxShadow: shadow.floating,
      [from.large]: {
        position: 'sticky',
        inset: `calc(${space.base} + var(--top, 0px)) auto auto auto`,
        maxHeight: `calc(100dvh - 2rem - var(--top, 0px))`,
        borderRadius: radius.card,
        boxShadow: 'none',
      },
    }}
  >
    <div css={{ display: 'flex', alignItems: 'start', justifyContent: 'space-between', gap: space.snug }}>
      <h3 css={{ fontSize: '0.9375rem', overflowWrap: 'anywhere' }}>{title}</h3>
      <Button look="quiet" onClick={onClose} aria-label="Close" css={{ borderColor: 'transparent' }}>
        <CloseIcon />
      </Button>
    </div>
    {children}
  </aside>
)
