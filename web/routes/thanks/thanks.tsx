import { agency, whatsappLink } from '../../content/agency.ts'
import { NEXT_STEPS } from '../../content/next-steps.ts'
import { ProsePage } from '../../pages/prose-page.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { SENT_REFERENCE_KEY } from '../../ui/form/sent-reference.ts'
import { MailIcon, PhoneIcon, WhatsAppIcon } from '../../ui/icons.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'

const [, QUOTE] = NEXT_STEPS

/** Where a script knows that the questionnaire led here, the words for its answers. */
const afterAnswers = (words: string) => ({ 'data-answered': words })

/**
 * Shows the reference of the questionnaire that this tab sent last; other forms lead here only without script. It runs as
 * the page is read, so that nothing moves.
 */
const SHOW_REFERENCE = `try{let d=document,r=sessionStorage['${SENT_REFERENCE_KEY}'],p=d.getElementById('reference');if(r){p.lastElementChild.textContent=r;p.hidden=false;for(let e of d.querySelectorAll('[data-answered]'))e.textContent=e.dataset.answered}}catch{}`

const Reference = () => (
  <p id="reference" hidden css={{ marginBottom: space.roomy, fontSize: type.lead }}>
    Your reference is <strong css={{ whiteSpace: 'nowrap', letterSpacing: '0.04em' }} />
  </p>
)

/** Where a form that was sent leads to: what happens next, and when (specification, 2). */
export const Thanks = () => (
  <ProsePage
    signed
    isLast
    title="Thank you"
    intro={
      <span {...afterAnswers("We've received your answers. Here's what happens next.")}>
        We've received your request. Here's what happens next.
      </span>
    }
  >
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
          <span
            {...(what === QUOTE.what && afterAnswers('You hear from us about your answers'))}
            css={{ fontSize: type.lead, fontWeight: 600 }}
          >
            {what === QUOTE.what ? 'You hear from us, with your quote if you asked for one' : what}
          </span>
        </li>
      ))}
    </ol>
    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a script of ours, which nothing from outside is part of */}
    <script dangerouslySetInnerHTML={{ __html: SHOW_REFERENCE }} />
    <p css={{ margin: `${space.base} 0` }}>You can send us texts, pictures and your logo by email or on WhatsApp.</p>
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
