import { ButtonLink } from '../../ui/button.tsx'
import { ProsePage } from '../../ui/prose-page.tsx'

/** What any other address answers (specification, 2: both texts). */
export const NotFound = () => (
  <ProsePage signed title="404 Page Not Found" intro="Did you forget to add the page to the router?">
    <ButtonLink href="/">Back to home</ButtonLink>
  </ProsePage>
)
