import { Button, ButtonLink } from '../ui/button.tsx'
import { colour, space, type } from '../ui/theme.ts'

/** What is shown where a screen broke, or its code could not be fetched: after a new release the old code is gone. */
export const BrokenScreen = () => (
  <main css={{ maxWidth: '34rem', margin: '0 auto', padding: `${space.vast} ${space.roomy}` }}>
    <h1 css={{ fontSize: type.heading }}>Something went wrong</h1>
    <p css={{ margin: `${space.base} 0 ${space.roomy}`, color: colour.soft }}>
      There may be a new version of it: load the page again. What was saved is safe.
    </p>
    <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.snug }}>
      <Button onClick={() => location.reload()}>Reload</Button>
      <ButtonLink look="outline" href="/admin-dashboard">
        Go to the dashboard
      </ButtonLink>
    </div>
  </main>
)
