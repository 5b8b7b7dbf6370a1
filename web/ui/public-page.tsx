import { Global } from '@emotion/react'
import type { ReactNode } from 'react'
import { MAX_FACES } from '../chat/widget/team.tsx'
import { ChatWidget } from '../chat/widget/widget.tsx'
import { navigationTarget } from '../content/navigation.ts'
import { useSite } from '../content/site-context.ts'
import { Footer } from './footer.tsx'
import { GlobalStyle } from './global-style.tsx'
import { Header } from './header.tsx'
import { Island } from './island.tsx'
import { type NextStep, PHONE_BAR_HEIGHT, PhoneBar, WITHOUT_NEXT_STEP } from './phone-bar.tsx'
import { display, from, withBar } from './theme.ts'
import { WhatsAppButton } from './whatsapp-button.tsx'

const publicStyles = {
  html: {
    '--gutter': '1.25rem',
    '--bar': '0px',
    // Jump targets stay below the sticky bar, focused elements above the bar at the foot.
    scrollPaddingTop: '4.25rem',
    // a chat that is minimised on a small window
    '--minimised': '0px',
    scrollPaddingBottom: 'calc(var(--bar) + var(--minimised) + 1rem)',
    [from.medium]: { '--gutter': '2rem' },
    [from.large]: { '--gutter': '5.75rem' },
    [withBar]: { '--bar': PHONE_BAR_HEIGHT },
  },
  'h1, h2, h3': display,
  // A link that opens a new tab shows an arrow, except buttons. Phones draw no emoji for it.
  'main a[target]:not([data-button])::after': {
    content: '"\u2197\ufe0e" / "(new tab)"',
    display: 'inline-block',
    marginLeft: '0.25em',
  },
}

export const PublicPage = ({
  atHome = false,
  signed = false,
  whatsappMessage = "Hi! I'd like a quote for a website.",
  next = { href: navigationTarget('contact', atHome), label: 'Get a quote' },
  children,
}: {
  atHome?: boolean
  /** The page ends in the horizon itself, so the footer has none. */
  signed?: boolean
  whatsappMessage?: string
  /** The target of the bar in small windows; null if the page itself is the next step, or the last. */
  next?: NextStep | null
  children: ReactNode
}) => {
  const team = useSite().showcase.people.slice(0, MAX_FACES)
  const chat = team.length > 0 ? { team: team.map(({ name, photo }) => ({ name, photo })) } : {}
  return (
    <div id="top">
      <GlobalStyle />
      <Global styles={publicStyles} />
      {!next && <Global styles={{ html: WITHOUT_NEXT_STEP }} />}
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Header atHome={atHome} />
      <main id="content" tabIndex={-1} css={{ outline: 'none' }}>
        {children}
      </main>
      <Footer atHome={atHome} hasHorizon={!signed && !atHome} />
      <PhoneBar next={next} message={whatsappMessage} />
      <WhatsAppButton message={whatsappMessage} />
      <Island name="chat" props={chat}>
        <ChatWidget {...chat} />
      </Island>
    </div>
  )
}
