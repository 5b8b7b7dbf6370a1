import { PORTFOLIO } from '../../content/home.ts'
import { useSite } from '../../content/site-context.ts'
import { Section } from '../../ui/section.tsx'
import { colour, from, onPhone, panel, space, type } from '../../ui/theme.ts'

/** The size of the screenshots, as `events/local/photograph.cli.ts` takes them. */
const PICTURE_PX = { width: 720, height: 540 }

/** Further websites by the agency, if owners have named any. */
const MoreWork = () => {
  const { works } = useSite().showcase
  if (works.length === 0) return null
  return (
    <p css={{ marginTop: space.roomy }}>
      More of our work:{' '}
      {works.map(({ name, href }, index) => (
        <span key={href}>
          {index > 0 && ', '}
          <a href={href} target="_blank" rel="noreferrer">
            {name}
          </a>
        </span>
      ))}
    </p>
  )
}

/** Sample work; each card opens its site in a new tab. */
export const Portfolio = () => (
  <Section
    id="portfolio"
    title="Three sites you can try"
    intro="Built by us, the way we build yours. Open one and see how fast it is."
  >
    <ul
      css={{
        display: 'grid',
        gap: space.roomy,
        [onPhone]: {
          gridAutoFlow: 'column',
          gridAutoColumns: '82%',
          gap: space.base,
          overflowX: 'auto',
          scrollSnapType: 'x mandatory',
          marginInline: 'calc(-1 * var(--gutter))',
          padding: `0 var(--gutter) ${space.tight}`,
          scrollPaddingInline: 'var(--gutter)',
        },
        [from.medium]: { gridTemplateColumns: 'repeat(3, 1fr)' },
      }}
    >
      {PORTFOLIO.map((work) => (
        <li
          key={work.name}
          css={{
            position: 'relative',
            display: 'grid',
            alignContent: 'start',
            overflow: 'hidden',
            scrollSnapAlign: 'start',
            ...panel,
            // the links are on one line
            [from.medium]: { gridTemplateRows: 'subgrid', gridRow: 'span 5', rowGap: 0 },
            ':hover': { borderColor: colour.ink },
          }}
        >
          <img
            src={`/work/${work.picture}.avif`}
            alt={`First screen of ${work.name}`}
            width={PICTURE_PX.width}
            height={PICTURE_PX.height}
            loading="lazy"
            decoding="async"
            css={{ width: '100%', height: 'auto', borderBottom: `1px solid ${colour.line}`, background: colour.sunk }}
          />
          <div
            css={{
              display: 'grid',
              justifyItems: 'start',
              padding: space.roomy,
              [from.medium]: { gridTemplateRows: 'subgrid', gridRow: 'span 4' },
            }}
          >
            <p css={{ color: colour.soft, fontSize: type.small }}>{work.category}</p>
            <h3 css={{ margin: `${space.hair} 0 ${space.tight}`, fontSize: type.step }}>{work.name}</h3>
            <p css={{ color: colour.soft }}>{work.text}</p>
            <a
              href={work.href}
              target="_blank"
              rel="noreferrer"
              css={{
                marginTop: space.base,
                fontWeight: 600,
                '::before': { content: '""', position: 'absolute', inset: 0 },
              }}
            >
              Visit {work.name}
            </a>
          </div>
        </li>
      ))}
    </ul>
    <MoreWork />
  </Section>
)
