import type { ReactNode } from 'react'
import { agency, whatsappLink } from '../../content/agency.ts'
import { NEXT_STEPS } from '../../content/next-steps.ts'
import { actions, ButtonLink } from '../../ui/button.tsx'
import { SENT_REFERENCE_KEY } from '../../ui/form/sent-reference.ts'
import { MailIcon, PhoneIcon, WhatsAppIcon } from '../../ui/icons.tsx'
import { ProsePage } from '../../ui/prose-page.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'

const [, QUOTE] = NEXT_STEPS

/** The text for a visitor who sent the questionnaire, used if a script detects that. */
const afterAnswers = (words: string) => ({ 'data-answered': words })

const AfterSending = ({ children }: { children: ReactNode }) => (
  <span css={{ display: 'contents', '[data-arrival=direct] &': { display: 'none' } }}>{children}</span>
)

const Direct = ({ children }: { children: ReactNode }) => (
  <span css={{ display: 'contents', '[data-arrival=sent] &': { display: 'none' } }}>{children}</span>
)

/**
 * Whether the visitor comes from a form is known to the node (api/pages.ts), or from the tab's storage: the reference
 * of the last sent questionnaire, which is shown then. It runs while the page is parsed, so that nothing moves. A
 * visitor who comes from no form is shown no time of our reply.
 */
const SHOW_REFERENCE = `{let d=document,a=d.querySelector('[data-arrival]').dataset,r,p=d.getElementById('reference');try{r=JSON.parse(sessionStorage['${SENT_REFERENCE_KEY}'])}catch{}if(r){a.arrival='sent';p.lastElementChild.textContent=r;p.hidden=false;for(let e of d.querySelectorAll('[data-answered]'))e.textContent=e.dataset.answered}if(a.arrival!='sent')delete d.querySelector('[data-reply-by]').dataset.replyBy}`

const Reference = () => (
  <p id="reference" hidden css={{ marginBottom: space.roomy, fontSize: type.lead }}>
    Your reference is <strong css={{ whiteSpace: 'nowrap', letterSpacing: '0.04em' }} />
  </p>
)

const Steps = () => (
  <ol>
    {NEXT_STEPS.map(({ when, what }, index) => (
      <li
        key={when}
        css={{
          display: 'grid',
          padding: `${space.base} 0`,
          borderTop: `1px solid ${colour.line}`,
          [from.medium]: { gridTemplateColumns: '13rem 1fr', columnGap: space.roomy, alignItems: 'baseline' },
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
)

const WhatsApp = ({ message }: { message: string }) => (
  <ButtonLink look="outline" href={whatsappLink(message)} target="_blank" rel="noreferrer">
    <WhatsAppIcon />
    WhatsApp
  </ButtonLink>
)

const Ways = () => (
  <p
    css={{
      ...actions,
      margin: `${space.base} 0 ${space.wide}`,
      '& a': { flexGrow: 1, [from.large]: { flexGrow: 0 } },
    }}
  >
    <ButtonLink href={`tel:${agency().dial}`}>
      <PhoneIcon />
      Call {agency().phone}
    </ButtonLink>
    <ButtonLink look="outline" href={`mailto:${agency().email}`}>
      <MailIcon />
      Email us
    </ButtonLink>
    <AfterSending>
      <WhatsApp message="Hi! I just sent you a request." />
    </AfterSending>
    <Direct>
      <WhatsApp message="Hi! I'd like a quote for a website." />
    </Direct>
  </p>
)

/** The page after a form was sent: the next steps, and when they happen. */
export const Thanks = () => (
  <div data-arrival="{{ARRIVAL}}">
    <ProsePage
      signed
      isLast
      title={
        <>
          Thank you<Direct> for your interest</Direct>
        </>
      }
      intro={
        <>
          <AfterSending>
            <span {...afterAnswers("We've received your answers. Here's what happens next.")}>
              We've received your request. Here's what happens next.
            </span>
          </AfterSending>
          <Direct>
            Have you sent us a request? Then we have it, and this is what happens next. If not,{' '}
            <a href="/#contact">tell us what you need</a>.
          </Direct>
        </>
      }
    >
      <Reference />
      <Steps />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a script of ours, which nothing from outside is part of */}
      <script dangerouslySetInnerHTML={{ __html: SHOW_REFERENCE }} />
      <p css={{ margin: `${space.base} 0` }}>
        <AfterSending>You can send us texts, pictures and your logo by email or on WhatsApp.</AfterSending>
      </p>
      <p css={{ marginBottom: space.wide, color: colour.soft, fontSize: type.small }}>
        We reply within 2 hours during business hours: {agency().supportHours}.
      </p>
      <h2 css={{ fontSize: type.step }}>
        <AfterSending>Need us sooner?</AfterSending>
        <Direct>Talk to us</Direct>
      </h2>
      <Ways />
      <a href="/">Back to home</a>
    </ProsePage>
  </div>
)
