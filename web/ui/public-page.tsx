import { Global } from '@emotion/react'
import type { ReactNode } from 'react'
import { ChatWidget } from '../chat/widget.tsx'
import { Island } from '../pages/island.tsx'
import { Footer } from './footer.tsx'
import { GlobalStyle } from './global-style.tsx'
import { Header } from './header.tsx'
import { WhatsAppButton } from './whatsapp-button.tsx'

/** What every public page has around its own content. */
export const PublicPage = ({
  atHome = false,
  whatsappMessage = "Hi! I'd like a quote for a website.",
  children,
}: {
  atHome?: boolean
  whatsappMessage?: string
  children: ReactNode
}) => (
  <div id="top">
    <GlobalStyle />
    {/* what is jumped to stands below the bar that stays in sight */}
    <Global styles={{ html: { scrollPaddingTop: '4.25rem' } }} />
    <a className="skip" href="#content">
      Skip to content
    </a>
    <Header atHome={atHome} />
    <main id="content" tabIndex={-1} css={{ outline: 'none' }}>
      {children}
    </main>
    <Footer atHome={atHome} />
    <div data-tips="">
      <WhatsAppButton message={whatsappMessage} />
      <Island name="chat" props={{}}>
        <ChatWidget />
      </Island>
    </div>
  </div>
)
