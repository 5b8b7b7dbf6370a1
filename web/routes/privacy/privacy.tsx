import { companyLines } from '../../../events/settings/company.ts'
import { agency } from '../../content/agency.ts'
import { privacySections } from '../../content/privacy.ts'
import { useSite } from '../../content/site-context.ts'
import { ProsePage } from '../../ui/prose-page.tsx'
import { colour, space, type } from '../../ui/theme.ts'

const LABEL = /^[^:.]{3,60}:/

/** A point begins with its subject, which is highlighted. */
const Labelled = ({ children }: { children: string }) => (
  <>
    <b>{LABEL.exec(children)?.[0]}</b>
    {children.replace(LABEL, '')}
  </>
)

/** The party responsible for the data, if owners have entered it (POPIA, section 18). */
const Company = () => {
  const lines = companyLines(useSite().company)
  return lines.length > 0 && <p css={{ marginTop: space.snug, overflowWrap: 'anywhere' }}>{lines.join(' · ')}</p>
}

/** The data that is collected and why; every form links here. */
export const Privacy = () => (
  <ProsePage title="Privacy" intro="What we collect on this website, why, and your rights.">
    <div css={{ display: 'grid', gap: space.wide }}>
      {privacySections(useSite().retention).map(({ title, text, points }) => (
        <section key={title}>
          <h2 css={{ marginBottom: space.snug, fontSize: type.step }}>{title}</h2>
          {text && <p>{text}</p>}
          <ul>
            {points?.map((point) => (
              <li key={point} css={{ padding: `${space.snug} 0`, borderTop: `1px solid ${colour.line}` }}>
                {points.every((one) => LABEL.test(one)) ? <Labelled>{point}</Labelled> : point}
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
        <Company />
      </section>
    </div>
  </ProsePage>
)
