import type { CSSObject } from '@emotion/react'
import { type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useId } from 'react'
import { Button } from '../ui/button.tsx'
import { MoreIcon } from '../ui/icons.tsx'
import { colour, radius, shadow, space, type } from '../ui/theme.ts'

/** An entry of a menu: a link, a button, or the label of a choice. */
export const menuEntry: CSSObject = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'start',
  gap: space.snug,
  width: '100%',
  minHeight: '2.25rem',
  '@media (pointer: coarse)': { minHeight: '2.75rem' },
  padding: `${space.hair} ${space.snug}`,
  border: 0,
  borderRadius: radius.control,
  background: 'none',
  color: colour.ink,
  fontSize: type.body,
  fontWeight: 400,
  textAlign: 'start',
  textDecoration: 'none',
  cursor: 'pointer',
  '&:hover': { background: colour.sunk, color: colour.ink },
  '& > svg': { color: colour.soft, fontSize: '1rem' },
}

/** A list that floats: at the button that opened it, or in the middle in browsers without anchors. */
export const floating: CSSObject = {
  minWidth: '13rem',
  maxWidth: 'calc(100vw - 2rem)',
  maxHeight: 'calc(100dvh - 4rem)',
  padding: space.hair,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.card,
  background: colour.sheet,
  color: colour.ink,
  boxShadow: shadow.floating,
  overflow: 'auto',
  '@supports (position-area: bottom)': {
    inset: 'auto',
    margin: `${space.hair} 0`,
    positionArea: 'bottom span-left',
    positionTryFallbacks: 'flip-inline, flip-block, flip-block flip-inline',
  },
}

/**
 * Closes the menu around an entry that was pressed; the focus returns to the button that opened it. It stays open for a
 * choice, in a `fieldset`: the result can be looked at.
 */
export const closeMenu = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
  const pressed = target instanceof Element && target.closest('a, button')
  if (pressed && !pressed.closest('fieldset')) currentTarget.hidePopover()
}

const entriesOf = (menu: Element | null) =>
  [...(menu?.querySelectorAll<HTMLElement>('a, button') ?? [])].filter((each) => each.checkVisibility?.() ?? true)

/** On the button before a menu: the down arrow enters the menu that it has opened. */
export const enterMenu = (event: KeyboardEvent) => {
  const menu = event.currentTarget.nextElementSibling
  if (event.key !== 'ArrowDown') return
  entriesOf(menu)[0]?.focus()
  if (menu?.contains(document.activeElement)) event.preventDefault()
}

/** On a menu: up and down arrows go through its entries, and it closes by a press and as the focus leaves it. */
export const inMenu = {
  onClick: closeMenu,
  onKeyDown: (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const entries = entriesOf(event.currentTarget)
    const at = entries.indexOf(document.activeElement as HTMLElement)
    entries.at((at + step) % entries.length)?.focus()
  },
  onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    const isInside = currentTarget.contains(relatedTarget) || relatedTarget === currentTarget.previousElementSibling
    if (relatedTarget && !isInside) currentTarget.hidePopover()
  },
}

/** A button with a list of rarer actions, which are any buttons and links. */
export const Menu = ({ children }: { children: ReactNode }) => {
  const id = useId()
  return (
    <>
      <Button
        look="quiet"
        popoverTarget={id}
        aria-label="More actions"
        onKeyDown={enterMenu}
        css={{
          paddingInline: space.tight,
          borderColor: 'transparent',
          '@media (pointer: coarse)': { minWidth: '2.75rem' },
        }}
      >
        <MoreIcon />
      </Button>
      <div id={id} popover="auto" {...inMenu} css={[floating, { '&& > :is(a, button)': menuEntry }]}>
        {children}
      </div>
    </>
  )
}
