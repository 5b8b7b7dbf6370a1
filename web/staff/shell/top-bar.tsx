import type { ReactNode } from 'react'
import { colour, from, space, type } from '../../ui/theme.ts'
import { Menu } from '../menu.tsx'

/** The bar stays in sight unless the window is small. */
const STAYS = `${from.large} and (min-height: 30rem)`

/** On all screens, so that a change of the screen adds and removes no rule. */
export const belowTopBar = {
  'html:has([data-top-bar])': { [STAYS]: { '--top': 'calc(var(--notices, 0px) + 3rem)' } },
} as const

/**
 * The top of a screen, 48 px high: its title, its filters (`children`), at most one primary action, and rarer actions
 * behind `…`. On a phone the filters are a line of their own.
 */
export const TopBar = ({
  before,
  title,
  note,
  action,
  menu,
  children,
}: {
  /** The way back, and steps between the items of a list. */
  before?: ReactNode
  title: ReactNode
  /** A few words next to the title, such as a count. */
  note?: ReactNode
  action?: ReactNode
  menu?: ReactNode
  children?: ReactNode
}) => (
  <div
    data-top-bar=""
    css={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: `${space.hair} ${space.snug}`,
      minHeight: '3rem',
      margin: `0 calc(-1 * var(--gutter)) ${space.base}`,
      padding: `${space.hair} var(--gutter)`,
      borderBottom: `1px solid ${colour.line}`,
      background: colour.paper,
      [STAYS]: { position: 'sticky', zIndex: 5, top: 'var(--notices, 0px)' },
    }}
  >
    {before && <div css={{ display: 'flex', flex: 'none', alignItems: 'center' }}>{before}</div>}
    <h1
      tabIndex={-1}
      css={{
        flex: before ? '1 1 8rem' : undefined,
        minWidth: 0,
        fontSize: type.heading,
        lineHeight: 1.4,
        overflowWrap: 'anywhere',
        outline: 'none',
      }}
    >
      {title}
    </h1>
    {note && <div css={{ minWidth: 0, color: colour.soft, fontSize: type.small }}>{note}</div>}
    {children && (
      <div
        css={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: space.tight,
          flex: '1 1 100%',
          order: 1,
          minWidth: 0,
          [from.medium]: { flex: '1 1 0', order: 0 },
        }}
      >
        {children}
      </div>
    )}
    {(action || menu) && (
      <div css={{ display: 'flex', flex: 'none', alignItems: 'center', gap: space.hair, marginLeft: 'auto' }}>
        {action}
        {menu && <Menu>{menu}</Menu>}
      </div>
    )}
  </div>
)
