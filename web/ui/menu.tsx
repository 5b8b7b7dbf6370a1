import { useState } from 'react'
import { NAVIGATION, navigationTarget } from '../content/navigation.ts'
import { CloseIcon, MenuIcon } from './icons.tsx'
import { colour, from, radius, shadow, space, type } from './theme.ts'

/** The menu of small screens: the same entries as the bar; choosing one closes it. */
export const Menu = ({ atHome }: { atHome: boolean }) => {
  const [open, setOpen] = useState(false)
  return (
    <div css={{ [from.large]: { display: 'none' } }}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls="menu-entries"
        aria-label={open ? 'Close menu' : 'Open menu'}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
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
          padding: `${space.tight} ${space.roomy} ${space.roomy}`,
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
                onClick={() => setOpen(false)}
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
      </nav>
    </div>
  )
}
