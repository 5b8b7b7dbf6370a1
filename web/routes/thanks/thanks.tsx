import { agency, whatsappLink } from '../../content/agency.ts'
import { NEXT_STEPS } from '../../content/next-steps.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { SENT_REFERENCE_KEY } from '../../ui/form/sent-reference.ts'
import { MailIcon, PhoneIcon, WhatsAppIcon } from '../../ui/icons.tsx'
import { ProsePage } from '../../ui/prose-page.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'

/** Shows the reference of what this tab sent last. It runs as the page is read, so that nothing moves. */
const SHOW_REFERENCE = `try{let r=sessionStorage['${SENT_REFERENCE_KEY}'],p=document.getElementById('reference');if(r){p.lastElementChild.textContent=r;p.hidden=false}}catch{}`

const Reference = () => (
  <>
    <p id="reference" hidden css={{ marginBottom: space.roomy, fontSize: type.lead }}>
      Your reference is <strong css={{ whiteSpace: 'nowrap', letterSpacing: '0.04em' }} />
    </p>
    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a script of ours, which nothing from outside is part of */}
    <script dangerouslySetInnerHTML={{ __html: SHOW_REFERENCE }} />
  </>
)

/** Where a form that was sent leads to: what happens next, and when (specification, 2). */
export const Thanks = () => (
  <ProsePage signed title="Thank you" intro="We've received your request. Here's what happens next.">
    <Reference />
    <ol>
      {NEXT_STEPS.map(({ when, what }, index) => (
        <li
          key={when}
          css={{
            display: 'grid',
            padding: `${space.base} 0`,
            borderTop: `1px solid ${colour.line}`,
            [from.medium]: { gridTemplateColumns: '13rem 1fr', alignItems: 'baseline' },
          }}
        >
          <span {...(index === 0 && { 'data-reply-by': '' })} css={{ color: colour.soft }}>
            {when}
          </span>
          <span css={{ fontSize: type.lead, fontWeight: 600 }}>{what}</span>
        </li>
      ))}
    </ol>
    <p css={{ marginBottom: space.wide, color: colour.soft, fontSize: type.small }}>
      We reply within 2 hours during business hours: {agency().supportHours}.
    </p>
    <h2 css={{ fontSize: type.step }}>Need us sooner?</h2>
    <p css={{ display: 'flex', flexWrap: 'wrap', gap: space.snug, margin: `${space.base} 0 ${space.wide}` }}>
      <ButtonLink href={`tel:${agency().dial}`}>
        <PhoneIcon />
        Call {agency().phone}
      </ButtonLink>
      <ButtonLink look="outline" href={`mailto:${agency().email}`}>
        <MailIcon />
        Email us
      </ButtonLink>
      <ButtonLink look="outline" href={whatsappLink('Hi! I just sent you a request.')} target="_blank" rel="noreferrer">
        <WhatsAppIcon />
        WhatsApp
      </ButtonLink>
    </p>
    <a href="/">Back to home</a>
  </ProsePage>
)
