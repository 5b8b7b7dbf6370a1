import { ButtonLink } from '../../ui/button.tsx'
import { ProsePage } from '../../ui/prose-page.tsx'
import { space } from '../../ui/theme.ts'

/** What any other address answers (specification, 2: both texts), and where people most likely wanted to go. */
export const NotFound = () => (
  <ProsePage signed title="404 Page Not Found" intro="Did you forget to add the page to the router?">
    <p css={{ maxWidth: '34rem', marginBottom: space.roomy }}>
      This address leads nowhere. You may be looking for our <a href="/#pricing">prices</a>, our{' '}
      <a href="/#portfolio">work</a>, or a way to <a href="/#contact">ask for a quote</a>.
    </p>
    <ButtonLink href="/">Back to home</ButtonLink>
  </ProsePage>
)
