import { companyLines } from '../../events/settings/company.ts'
import { agency } from '../content/agency.ts'
import { SERVICES } from '../content/home.ts'
import { NAVIGATION, navigationTarget } from '../content/navigation.ts'
import { useSite } from '../content/site-context.ts'
import { Horizon } from './horizon.tsx'
import { Logo } from './logo.tsx'
import { colour, font, frame, from, space, type } from './theme.ts'

const SERVICE_AREA = 'All of South Africa'

const link = {
  color: colour.onNight,
  textDecoration: 'none',
  ':hover': { color: colour.onNight, textDecoration: 'underline' },
}
const title = {
  marginBottom: space.snug,
  color: colour.onNightSoft,
  fontFamily: font.text,
  fontSize: type.small,
  fontWeight: 600,
  letterSpacing: 0,
} as const

/** The agency's pages on other sites, if owners have set any. */
const SocialLinks = () => {
  const { socialLinks } = useSite().showcase
  if (socialLinks.length === 0) return null
  return (
    <div>
      <h2 css={title}>Follow us</h2>
      <ul css={{ display: 'grid', gap: space.tight }}>
        {socialLinks.map(({ name, href }) => (
          <li key={href}>
            <a href={href} target="_blank" rel="noreferrer" css={link}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

const ReachUs = () => (
  <div>
    <h2 css={title}>Reach us</h2>
    <ul css={{ display: 'grid', gap: space.tight, overflowWrap: 'anywhere' }}>
      <li>
        <a href={`tel:${agency().dial}`} css={link}>
          {agency().phone}
        </a>
      </li>
      <li>
        <a href={`mailto:${agency().email}`} css={link}>
          {agency().email}
        </a>
      </li>
      <li css={{ color: colour.onNightSoft }}>{agency().supportHours}</li>
    </ul>
  </div>
)

/** The agency's legal details, if owners have set them. */
const Company = () => {
  const lines = companyLines(useSite().company)
  if (lines.length === 0) return null
  return <span css={{ flexBasis: '100%', overflowWrap: 'anywhere' }}>{lines.join(' · ')}</span>
}

/** The foot of every public page: services, service area, how to reach the agency unless the page itself says so. */
export const Footer = ({ atHome, hasHorizon }: { atHome: boolean; hasHorizon: boolean }) => (
  <footer
    css={{ paddingBottom: 'calc(var(--bar) + var(--minimised))', background: colour.night, color: colour.onNight }}
  >
    {hasHorizon && (
      <div css={{ paddingTop: space.broad, color: colour.onNightSoft }}>
        <Horizon />
      </div>
    )}
    <div
      css={{
        display: 'grid',
        gap: space.wide,
        ...frame,
        gridTemplateColumns: '1fr 1fr',
        paddingBlock: `${space.wide} ${space.wide}`,
        '& > :first-child, & > :nth-child(4)': { gridColumn: '1 / -1' },
        [from.medium]: { gridTemplateColumns: '1.4fr 1fr 1fr', '& > *': { gridColumn: 'auto !important' } },
        [from.large]: { gridTemplateColumns: 'none', gridAutoFlow: 'column', justifyContent: 'space-between' },
      }}
    >
      <div>
        <Logo href={navigationTarget(null, atHome)} />
        <p css={{ maxWidth: '22rem', marginTop: space.base, color: colour.onNightSoft }}>
          Websites and hosting for small businesses.
        </p>
        <h2 css={{ ...title, margin: `${space.roomy} 0 ${space.hair}` }}>Service area</h2>
        <p css={{ color: colour.onNightSoft }}>{SERVICE_AREA}</p>
      </div>
      <div>
        <h2 css={title}>Services</h2>
        <ul css={{ display: 'grid', gap: space.tight, color: colour.onNightSoft }}>
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
      {!atHome && <ReachUs />}
      <SocialLinks />
    </div>
    <div css={{ borderTop: '1px solid rgb(255 255 255 / 18%)' }}>
      <p
        css={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: `${space.tight} ${space.roomy}`,
          ...frame,
          paddingBlock: `${space.roomy} ${space.wide}`,
          color: colour.onNightSoft,
          fontSize: type.small,
        }}
      >
        {agency().name}
        <a href="/privacy" css={link}>
          Privacy
        </a>
        <a href="/yourwebsiteproject" css={link}>
          Your website project
        </a>
        <Company />
      </p>
    </div>
  </footer>
)
