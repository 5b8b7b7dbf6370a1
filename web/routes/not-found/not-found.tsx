import { Button, ButtonLink } from '../../ui/button.tsx'
import { ChatIcon } from '../../ui/icons.tsx'
import { ProsePage } from '../../ui/prose-page.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'

const PLACES = [
  { href: '/#pricing', name: 'Packages and prices', what: 'What a website costs, once and every month' },
  { href: '/#portfolio', name: 'Our work', what: 'Three websites to open and try' },
  { href: '/#contact', name: 'Ask for a quote', what: 'We reply within 2 business hours' },
] as const

/** The page for any other address, with links to where people most likely wanted to go. */
export const NotFound = () => (
  <ProsePage signed title="404 Page Not Found" intro="Did you forget to add the page to the router?">
    <p css={{ maxWidth: '34rem', marginBottom: space.base }}>
      This page has moved, or there is a mistake in its address. These are the pages that most people look for:
    </p>
    <ul css={{ marginBottom: space.wide, borderBottom: `1px solid ${colour.line}` }}>
      {PLACES.map(({ href, name, what }) => (
        <li
          key={href}
          css={{
            display: 'grid',
            padding: `${space.base} 0`,
            borderTop: `1px solid ${colour.line}`,
            [from.medium]: { gridTemplateColumns: '15rem 1fr', alignItems: 'baseline' },
          }}
        >
          <a href={href} css={{ fontSize: type.lead, fontWeight: 600 }}>
            {name}
          </a>
          <span css={{ color: colour.soft }}>{what}</span>
        </li>
      ))}
    </ul>
    <p css={{ display: 'flex', flexWrap: 'wrap', gap: space.snug }}>
      <ButtonLink href="/">Back to home</ButtonLink>
      <Button data-opens-chat="" look="outline">
        <ChatIcon />
        Chat now
      </Button>
    </p>
  </ProsePage>
)
