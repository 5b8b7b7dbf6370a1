import type { ReactNode } from 'react'
import { quoteChoices } from '../../../events/settings/quote-choices.ts'
import { agency, whatsappLink } from '../../content/agency.ts'
import { useSite } from '../../content/site-context.ts'
import { Button } from '../../ui/button.tsx'
import { ChatIcon, MailIcon, PhoneIcon, WhatsAppIcon } from '../../ui/icons.tsx'
import { Island } from '../../ui/island.tsx'
import { Section } from '../../ui/section.tsx'
import { colour, font, from, panel, space, type } from '../../ui/theme.ts'
import { QuoteForm } from './quote-form.tsx'

const Way = ({ icon, name, note, children }: { icon: ReactNode; name: string; note?: string; children: ReactNode }) => (
  <li
    css={{
      display: 'grid',
      gridTemplateColumns: 'auto 1fr',
      gap: space.base,
      padding: `${space.snug} 0`,
      borderTop: `1px solid ${colour.line}`,
      '& > svg': { marginTop: '0.2em', color: colour.accent },
    }}
  >
    {icon}
    <div css={{ overflowWrap: 'anywhere' }}>
      <h3 css={{ fontFamily: font.text, fontSize: type.body, letterSpacing: 0, lineHeight: 1.6 }}>{name}</h3>
      {children}
      {note && <p css={{ color: colour.soft, fontSize: type.small }}>{note}</p>}
    </div>
  </li>
)

const OwnQuoteForm = () => {
  const { quoteLabels, packages } = useSite()
  // a form with unchanged choices needs no data about them
  const props =
    Object.keys({ ...quoteLabels, ...packages }).length === 0 ? {} : { choices: quoteChoices(quoteLabels, packages) }
  return (
    <Island name="quote-form" props={props}>
      <QuoteForm {...props} />
    </Island>
  )
}

/** The quote form, and every direct way to reach the agency. */
export const Contact = () => (
  <Section id="contact" title="Ask for a quote" intro="Tell us a little about your business, or contact us directly.">
    <div
      css={{
        display: 'grid',
        gap: space.wide,
        [from.large]: { gridTemplateColumns: '1fr 22rem', gap: '5rem', alignItems: 'start' },
      }}
    >
      <div
        css={{
          ...panel,
          padding: space.inset,
        }}
      >
        <OwnQuoteForm />
      </div>
      <ul
        css={{
          display: 'grid',
          columnGap: space.wide,
          [from.medium]: { gridTemplateColumns: '1fr 1fr' },
          [from.large]: { gridTemplateColumns: 'none' },
        }}
      >
        <Way icon={<PhoneIcon />} name="Call us" note={agency().supportHours}>
          <a href={`tel:${agency().dial}`}>{agency().phone}</a>
        </Way>
        <Way icon={<MailIcon />} name="Email us" note="Response within 2 hours">
          <a href={`mailto:${agency().email}`}>{agency().email}</a>
        </Way>
        <Way icon={<WhatsAppIcon />} name="WhatsApp">
          <a href={whatsappLink("Hi! I'd like a quote for a website.")} target="_blank" rel="noreferrer">
            Message us on WhatsApp
          </a>
        </Way>
        <Way icon={<ChatIcon />} name="Live chat">
          <Button data-opens-chat="" look="outline" css={{ margin: `${space.tight} 0` }}>
            Chat Now
          </Button>
        </Way>
      </ul>
    </div>
  </Section>
)
