import { agency } from '../content/agency.ts'
import { SERVICES } from '../content/home.ts'
import { NAVIGATION, navigationTarget } from '../content/navigation.ts'
import { Logo } from './logo.tsx'
import { colour, from, space, type } from './theme.ts'

const link = {
  color: colour.onInk,
  textDecoration: 'none',
  ':hover': { color: colour.onInk, textDecoration: 'underline' },
}
const title = {
  marginBottom: space.snug,
  color: colour.onInkSoft,
  fontSize: type.small,
  fontWeight: 600,
  letterSpacing: 0,
} as const

/** The foot of every public page: services, service area, how to reach the agency. */
export const Footer = ({ atHome }: { atHome: boolean }) => (
  <footer css={{ background: colour.ink, color: colour.onInk }}>
    <div
      css={{
        display: 'grid',
        gap: space.wide,
        maxWidth: '76rem',
        margin: '0 auto',
        padding: `${space.broad} ${space.roomy} 6.5rem`,
        [from.medium]: { gridTemplateColumns: '2fr 1fr 1fr 1.4fr', paddingBottom: space.broad },
      }}
    >
      <div>
        <Logo href={navigationTarget(null, atHome)} />
        <p css={{ maxWidth: '22rem', marginTop: space.base, color: colour.onInkSoft }}>
          Websites and hosting for small businesses in all of South Africa.
        </p>
      </div>
      <div>
        <h2 css={title}>Services</h2>
        <ul css={{ display: 'grid', gap: space.tight }}>
          {SERVICES.map(({ name }) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      </div>
      <nav aria-label="Footer">
        <h2 css={title}>Pages</h2>
        <ul css={{ display: 'grid', gap: space.tight }}>
          {NAVIGATION.map(({ label, section }) => (
            <li key={label}>
              <a href={navigationTarget(section, atHome)} css={link}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div>
        <h2 css={title}>Reach us</h2>
        <ul css={{ display: 'grid', gap: space.tight, overflowWrap: 'anywhere' }}>
          <li>
            <a href={`tel:${agency().phone}`} css={link}>
              {agency().phone}
            </a>
          </li>
          <li>
            <a href={`mailto:${agency().email}`} css={link}>
              {agency().email}
            </a>
          </li>
          <li css={{ color: colour.onInkSoft }}>Mon-Fri 8AM-6PM SAST</li>
        </ul>
      </div>
    </div>
  </footer>
)
