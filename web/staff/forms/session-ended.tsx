import { useSyncExternalStore } from 'react'
import { HttpError } from '../../client/http.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { colour, radius, shadow, space } from '../../ui/theme.ts'
import { signInAgain, useMe } from '../account/account.ts'
import { SIGN_IN_PATH } from '../account/sign-in-address.ts'
import { onUnsavedChange, unsavedWords } from '../drafts/unsaved.ts'

const useHasEnded = () => {
  const { data: me, error } = useMe()
  return me !== undefined && error instanceof HttpError && error.status === 401
}

const isAnythingLost = () => unsavedWords()?.isLost ?? false

/** Text that is not stored stays in sight: a sign-in in another tab ends the banner. */
const WayBack = () => {
  const isLost = useSyncExternalStore(onUnsavedChange, isAnythingLost)
  return (
    <>
      <p>
        <strong>Your session has ended.</strong>{' '}
        {isLost
          ? 'This page’s content is lost if you leave it. Sign in in a new tab, then continue here.'
          : 'Your text stays on this device. Sign in to continue here.'}
      </p>
      {isLost ? (
        <ButtonLink href={SIGN_IN_PATH} target="_blank" rel="noreferrer">
          Sign in (new tab)
        </ButtonLink>
      ) : (
        <Button onClick={signInAgain}>Sign in</Button>
      )}
    </>
  )
}

/**
 * Shows on a page with unsaved text that the session has ended, as long as it has, with the way to sign in. Each form
 * in a dialog shows it too: the page behind a dialog cannot be used.
 */
export const SessionEnded = () => (
  <div role="alert" css={{ position: 'sticky', top: space.tight, zIndex: 3, ':empty': { display: 'none' } }}>
    {useHasEnded() && (
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
        <WayBack />
      </div>
    )}
  </div>
)
