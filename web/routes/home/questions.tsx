import { QUESTIONS } from '../../content/home.ts'
import { Section } from '../../ui/section.tsx'
import { colour, space, type } from '../../ui/theme.ts'

/** Questions and answers, which open and close without script. */
export const Questions = () => (
  <Section id="faq" title="Why your website is losing you money" intro="Five questions owners ask us." layout="offset">
    <div>
      {QUESTIONS.map(({ question, answer }) => (
        <details key={question} css={{ borderTop: `1px solid ${colour.line}`, '&[open] .sign': { rotate: '45deg' } }}>
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
            }}
          >
            {question}
            <svg className="sign" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" css={{ flex: 'none' }}>
              <path d="M8 2v12M2 8h12" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
            </svg>
          </summary>
          <p css={{ maxWidth: '44rem', padding: `0 2rem ${space.roomy} 0`, color: colour.soft }}>{answer}</p>
        </details>
      ))}
    </div>
  </Section>
)
