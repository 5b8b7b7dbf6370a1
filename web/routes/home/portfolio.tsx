import type { CSSProperties } from 'react'
import { PORTFOLIO } from '../../content/home.ts'
import { Section } from '../../ui/section.tsx'
import { colour, from, radius, space, type } from '../../ui/theme.ts'
import { PreviewScene } from './preview-scenes.tsx'

/** Sample work; each card opens its site in a new tab (specification, 2). */
export const Portfolio = () => (
  <Section id="portfolio" title="Work that earns its keep" intro="Three businesses, three very different goals.">
    <ul css={{ display: 'grid', gap: space.roomy, [from.medium]: { gridTemplateColumns: 'repeat(3, 1fr)' } }}>
      {PORTFOLIO.map((work) => (
        <li
          key={work.name}
          css={{
            position: 'relative',
            overflow: 'hidden',
            border: `1px solid ${colour.line}`,
            borderRadius: radius.card,
            background: colour.sheet,
            ':hover': { borderColor: colour.ink },
          }}
        >
          <div
            style={{ '--a': work.colours[0], '--b': work.colours[1], '--c': work.colours[2] } as CSSProperties}
            css={{ padding: `${space.wide} 25% 0`, background: 'var(--c)' }}
          >
            <PreviewScene trade={work.drawing} />
          </div>
          <div css={{ padding: space.roomy }}>
            <p css={{ color: colour.soft, fontSize: type.small }}>{work.category}</p>
            <h3 css={{ margin: `${space.hair} 0 ${space.tight}`, fontSize: type.step }}>{work.name}</h3>
            <p css={{ color: colour.soft }}>{work.text}</p>
            <a
              href={work.href}
              target="_blank"
              rel="noreferrer"
              css={{
                display: 'inline-block',
                marginTop: space.base,
                fontWeight: 600,
                '::after': { content: '""', position: 'absolute', inset: 0 },
              }}
            >
              Visit {work.name} (new tab)
            </a>
          </div>
        </li>
      ))}
    </ul>
  </Section>
)
