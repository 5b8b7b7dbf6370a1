import { QUESTIONS, withPrices } from '../../content/home.ts'
import { soldIn, useSite } from '../../content/site-context.ts'
import { Section } from '../../ui/section.tsx'
import { colour, space, type } from '../../ui/theme.ts'

/** Questions and answers, which open and close without script. */
export const Questions = () => {
  const packages = soldIn(useSite())
  return (
    <Section id="faq" title="Why your website is losing you money" layout="offset">
      <div>
        {QUESTIONS.map(({ question, answer }) => (
          <details
            key={question}
            css={{ borderTop: `1px solid ${colour.line}`, '&[open] > summary::after': { rotate: '45deg' } }}
          >
            <summary
              css={{
                display: 'flex',
                alignItems: 'center',
                justifyContent: 'space-between',
                gap: space.base,
                padding: '1.125rem 0',
                fontSize: type.lead,
                fontWeight: 600,
                cursor: 'pointer',
                listStyle: 'none',
                '::-webkit-details-marker': { display: 'none' },
                '::after': { content: '"+" / ""', fontSize: '1.5rem', fontWeight: 400, lineHeight: 1 },
              }}
            >
              {question}
            </summary>
            <p css={{ maxWidth: '44rem', padding: `0 2rem ${space.roomy} 0`, color: colour.soft }}>
              {withPrices(answer, packages)}
            </p>
          </details>
        ))}
      </div>
    </Section>
  )
}
