import { whatsappLink } from '../content/agency.ts'
import { WhatsAppIcon } from './icons.tsx'
import { colour, radius, shadow, space, withBar } from './theme.ts'

/** The WhatsApp button that floats above the chat's, with a message already written. */
export const WhatsAppButton = ({ message }: { message: string }) => (
  <aside aria-label="WhatsApp" css={{ [withBar]: { display: 'none' } }}>
    <a
      data-floats=""
      data-tip="Message us on WhatsApp"
      href={whatsappLink(message)}
      target="_blank"
      rel="noreferrer"
      aria-label="Message us on WhatsApp (new tab)"
      css={{
        position: 'fixed',
        zIndex: 45,
        right: `calc(${space.base} + 0.25rem)`,
        bottom: '5.5rem',
        display: 'grid',
        placeItems: 'center',
        width: '3.25rem',
        height: '3.25rem',
        border: `2px solid ${colour.sheet}`,
        borderRadius: radius.round,
        background: colour.ink,
        boxShadow: shadow.floating,
        color: colour.onInk,
        fontSize: '1.25rem',
        ':hover': { color: colour.onInk, background: colour.accentDeep },
        ':focus-visible': { borderRadius: radius.round },
      }}
    >
      <WhatsAppIcon />
    </a>
  </aside>
)
