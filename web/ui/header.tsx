import { agency } from '../content/agency.ts'
import { NAVIGATION, navigationTarget } from '../content/navigation.ts'
import { ButtonLink } from './button.tsx'
import { PhoneIcon } from './icons.tsx'
import { Island } from './island.tsx'
import { Logo } from './logo.tsx'
import { Menu } from './menu.tsx'
import { colour, frame, from, space, type } from './theme.ts'

const Navigation = ({ atHome }: { atHome: boolean }) => (
  <nav aria-label="Main" css={{ display: 'none', [from.large]: { display: 'block' } }}>
    <ul css={{ display: 'flex', gap: space.roomy }}>
      {NAVIGATION.map(({ label, section }) => (
        <li key={label}>
          <a
            href={navigationTarget(section, atHome)}
            css={{
              padding: `${space.tight} 0`,
              color: colour.ink,
              fontSize: '0.9375rem',
              fontWeight: 500,
              textDecoration: 'none',
              ':hover': { textDecoration: 'underline', textDecorationThickness: 2 },
            }}
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** The sticky bar of every public page (specification, 2). */
export const Header = ({ atHome }: { atHome: boolean }) => (
  <header
    css={{
      position: 'sticky',
      top: 0,
      zIndex: 40,
      background: colour.paper,
      borderBottom: `1px solid ${colour.line}`,
      viewTransitionName: 'header',
    }}
  >
    <div
      css={{
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: space.tight,
        ...frame,
        minHeight: '4.25rem',
        [from.medium]: { gap: space.base },
      }}
    >
      <Logo href={navigationTarget(null, atHome)} />
      <Navigation atHome={atHome} />
      <div
        css={{
          display: 'flex',
          alignItems: 'center',
          gap: space.tight,
          [from.medium]: { gap: space.base },
          [from.large]: { '& > [data-island]': { display: 'none' } },
        }}
      >
        <a
          href={`tel:${agency().dial}`}
          css={{
            display: 'inline-flex',
            alignItems: 'center',
            gap: '0.375rem',
            minHeight: '2.75rem',
            color: colour.ink,
            fontSize: '0.8125rem',
            fontWeight: 600,
            fontVariantNumeric: 'tabular-nums',
            textDecoration: 'none',
            whiteSpace: 'nowrap',
            [from.medium]: { fontSize: '0.9375rem' },
          }}
        >
          <PhoneIcon />
          {agency().phone}
        </a>
        <ButtonLink
          href={navigationTarget('contact', atHome)}
          css={{
            display: 'none',
            fontSize: type.small,
            letterSpacing: '0.02em',
            whiteSpace: 'nowrap',
            [from.medium]: { display: 'inline-flex' },
          }}
        >
          GET STARTED
        </ButtonLink>
        <Island name="menu" props={{ atHome }}>
          <Menu atHome={atHome} />
        </Island>
      </div>
    </div>
  </header>
)
