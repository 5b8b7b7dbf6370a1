import { Button } from '../ui/button.tsx'
import { colour, radius, shadow, space } from '../ui/theme.ts'
import { signInAgain } from './account.ts'

/** Says, as long as it is so, that nobody is signed in any more on a page on which something was typed, and leads on. */
export const SessionEnded = ({ hasEnded }: { hasEnded: boolean }) => (
  <div role="alert" css={{ position: 'sticky', top: space.tight, zIndex: 3, ':empty': { display: 'none' } }}>
    {hasEnded && (
      <div
        css={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          justifyContent: 'space-between',
          gap: space.snug,
          marginBottom: space.roomy,
          padding: `${space.snug} ${space.base}`,
          border: `1px solid ${colour.bad}`,
          borderRadius: radius.card,
          background: colour.badWash,
          boxShadow: shadow.card,
        }}
      >
        <p>
          <strong>Your session has ended.</strong> What you typed stays on this device. Sign in to go on here.
        </p>
        <Button onClick={signInAgain}>Sign in</Button>
      </div>
    )}
  </div>
)
