import { ButtonLink } from '../../ui/button.tsx'
import { PublicPage } from '../../ui/public-page.tsx'
import { colour, space, type } from '../../ui/theme.ts'

/** What any other address answers (specification, 2: both texts). */
export const NotFound = () => (
  <PublicPage>
    <div css={{ maxWidth: '46rem', minHeight: '60vh', margin: '0 auto', padding: `${space.vast} ${space.roomy}` }}>
      <h1 css={{ fontSize: type.display }}>404 Page Not Found</h1>
      <p css={{ margin: `${space.base} 0 ${space.wide}`, color: colour.soft, fontSize: type.lead }}>
        Did you forget to add the page to the router?
      </p>
      <ButtonLink href="/">Back to home</ButtonLink>
    </div>
  </PublicPage>
)
