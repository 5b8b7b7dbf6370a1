import { agency, whatsappLink } from '../../content/agency.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { MailIcon, PhoneIcon, WhatsAppIcon } from '../../ui/icons.tsx'
import { ProsePage } from '../../ui/prose-page.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'

const STEPS = [
  { when: 'Within 2 hours', what: 'We review what you sent us' },
  { when: 'Within 24 hours', what: 'You get your quote' },
  { when: 'Within 48 hours', what: 'We speak in a kickoff call' },
  { when: '2-14 days', what: 'Your website goes live' },
]

/** Where a form that was sent leads to: what happens next, and when (specification, 2). */
export const Thanks = () => (
  <ProsePage title="Thank you" intro="We have your request. This is what happens next.">
    <ol css={{ marginBottom: space.wide }}>
      {STEPS.map(({ when, what }) => (
        <li
          key={when}
          css={{
            display: 'grid',
            padding: `${space.base} 0`,
            borderTop: `1px solid ${colour.line}`,
            [from.medium]: { gridTemplateColumns: '12rem 1fr' },
          }}
        >
          <span css={{ color: colour.soft }}>{when}</span>
          <span css={{ fontSize: type.lead, fontWeight: 600 }}>{what}</span>
        </li>
      ))}
    </ol>
    <h2 css={{ fontSize: type.step }}>Can it not wait?</h2>
    <p css={{ display: 'flex', flexWrap: 'wrap', gap: space.snug, margin: `${space.base} 0 ${space.wide}` }}>
      <ButtonLink href={`tel:${agency().dial}`}>
        <PhoneIcon />
        Call {agency().phone}
      </ButtonLink>
      <ButtonLink look="outline" href={`mailto:${agency().email}`}>
        <MailIcon />
        E-mail us
      </ButtonLink>
      <ButtonLink look="outline" href={whatsappLink('Hi! I just sent you a request.')} target="_blank" rel="noreferrer">
        <WhatsAppIcon />
        WhatsApp
      </ButtonLink>
    </p>
    <a href="/">Back to home</a>
  </ProsePage>
)
