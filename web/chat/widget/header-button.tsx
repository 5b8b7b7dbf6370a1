import type { ReactNode } from 'react'
import { colour, radius } from '../../ui/theme.ts'

/** A button of the chat's header; with `isWide` it takes all of the header that no other button takes. */
export const HeaderButton = (props: {
  label: string
  isWide?: boolean
  /** For a button that opens a list: whether it is open. */
  isExpanded?: boolean
  onClick: () => void
  children: ReactNode
}) => (
  <button
    type="button"
    aria-label={props.label}
    aria-expanded={props.isExpanded}
    onClick={props.onClick}
    css={{
      display: 'grid',
      placeItems: 'center',
      width: '2.5rem',
      height: '2.5rem',
      border: 0,
      borderRadius: radius.control,
      background: 'transparent',
      color: 'inherit',
      ':hover': { background: 'rgb(255 255 255 / 14%)' },
      ':focus-visible': { outlineColor: colour.onInk },
      ...(props.isWide ? { '::after': { content: '""', position: 'absolute', inset: 0 } } : { zIndex: 1 }),
    }}
  >
    {props.children}
  </button>
)
