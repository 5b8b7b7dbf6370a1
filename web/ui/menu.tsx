import { type MouseEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { agency } from '../content/agency.ts'
import { NAVIGATION, navigationTarget } from '../content/navigation.ts'
import { ButtonLink } from './button.tsx'
import { CloseIcon, MenuIcon, PhoneIcon } from './icons.tsx'
import { leaveThenFollow, useOverlayHistory } from './overlay-history.ts'
import { colour, from, radius, shadow, space, type } from './theme.ts'

/** Closes the menu on a tap or focus outside and on Escape, which returns the focus to its button. */
const useClosing = (element: RefObject<HTMLElement | null>, open: boolean, close: () => void) => {
  useEffect(() => {
    if (!open) return
    const closeOutside = ({ target }: Event) => {
      if (!element.current?.contains(target as Node)) close()
    }
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      close()
      element.current?.querySelector('button')?.focus()
    }
    addEventListener('pointerdown', closeOutside)
    addEventListener('focusin', closeOutside)
    addEventListener('keydown', closeByKey)
    return () => {
      removeEventListener('pointerdown', closeOutside)
      removeEventListener('focusin', closeOutside)
      removeEventListener('keydown', closeByKey)
    }
  }, [element, open, close])
}

/** The menu of small screens: the same entries as the bar. Choosing one closes it, and so do Back and a tap outside. */
export const Menu = ({ atHome }: { atHome: boolean }) => {
  const [open, setOpen] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  const close = useCallback(() => setOpen(false), [])
  useClosing(element, open, close)
  useOverlayHistory('menu', open, close)
  const choose = (event: MouseEvent<HTMLAnchorElement>) => {
    leaveThenFollow(event, event.currentTarget)
    close()
  }
  return (
    <div ref={element} css={{ [from.large]: { display: 'none' } }}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls="menu-entries"
        aria-label={open ? 'Close menu' : 'Open menu'}
        onClick={() => setOpen(!open)}
        css={{
          display: 'grid',
          placeItems: 'center',
          width: '2.75rem',
          height: '2.75rem',
          border: `1px solid ${colour.line}`,
          borderRadius: radius.control,
          background: colour.sheet,
        }}
      >
        {open ? <CloseIcon /> : <MenuIcon />}
      </button>
      <nav
        id="menu-entries"
        aria-label="Menu"
        hidden={!open}
        css={{
          position: 'absolute',
          insetInline: 0,
          top: '100%',
          maxHeight: 'calc(100dvh - 4.25rem - var(--bar))',
          overflowY: 'auto',
          padding: `${space.tight} var(--gutter) ${space.roomy}`,
          background: colour.paper,
          borderBottom: `1px solid ${colour.line}`,
          boxShadow: shadow.card,
        }}
      >
        <ul>
          {NAVIGATION.map(({ label, section }) => (
            <li key={label} css={{ borderBottom: `1px solid ${colour.line}` }}>
              <a
                href={navigationTarget(section, atHome)}
                onClick={choose}
                css={{
                  display: 'block',
                  padding: `${space.snug} 0`,
                  color: colour.ink,
                  fontSize: type.step,
                  fontWeight: 600,
                  textDecoration: 'none',
                }}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
        <p css={{ display: 'grid', gap: space.snug, marginTop: space.roomy }}>
          <ButtonLink href={navigationTarget('contact', atHome)} onClick={choose}>
            GET STARTED
          </ButtonLink>
          <ButtonLink look="outline" href={`tel:${agency().dial}`} onClick={choose}>
            <PhoneIcon />
            Call {agency().phone}
          </ButtonLink>
        </p>
      </nav>
    </div>
  )
}
