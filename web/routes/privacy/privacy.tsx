import { agency } from '../../content/agency.ts'
import { PRIVACY } from '../../content/privacy.ts'
import { ProsePage } from '../../pages/prose-page.tsx'
import { colour, space, type } from '../../ui/theme.ts'

/** What is collected and why; every form links here. */
export const Privacy = () => (
  <ProsePage title="Privacy" intro="What we collect on this website, why, and your rights.">
    <div css={{ display: 'grid', gap: space.wide }}>
      {PRIVACY.map(({ title, text, points }) => (
        <section key={title}>
          <h2 css={{ marginBottom: space.snug, fontSize: type.step }}>{title}</h2>
          {text && <p>{text}</p>}
          <ul>
            {points?.map((point) => (
              <li key={point} css={{ padding: `${space.snug} 0`, borderTop: `1px solid ${colour.line}` }}>
                {point}
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section>
        <h2 css={{ marginBottom: space.snug, fontSize: type.step }}>Contact us</h2>
        <p css={{ overflowWrap: 'anywhere' }}>
          {agency().name}, <a href={`mailto:${agency().email}`}>{agency().email}</a>,{' '}
          <a href={`tel:${agency().dial}`} css={{ whiteSpace: 'nowrap' }}>
            {agency().phone}
          </a>
        </p>
      </section>
    </div>
  </ProsePage>
)
