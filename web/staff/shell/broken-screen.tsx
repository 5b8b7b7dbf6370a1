import { useEffect } from 'react'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { useIsOnline } from '../device/online.tsx'

const Unreachable = () => {
  // a reload also fetches the code of the screen if it is missing
  useEffect(() => {
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return (
    <p role="status" css={{ margin: `${space.base} 0 ${space.roomy}`, color: colour.soft }}>
      This screen needs the internet. It opens by itself once you are connected again.
    </p>
  )
}

/**
 * Shown if a screen crashed, or its code could not be fetched: there is no network, or after a new release the old code
 * is gone.
 */
export const BrokenScreen = () => {
  const isOffline = !useIsOnline()
  return (
    <main css={{ maxWidth: '34rem', margin: '0 auto', padding: `${space.vast} ${space.roomy}` }}>
      <h1 css={{ fontSize: type.heading }}>{isOffline ? 'You are offline' : 'Something went wrong'}</h1>
      {isOffline ? (
        <Unreachable />
      ) : (
        <p css={{ margin: `${space.base} 0 ${space.roomy}`, color: colour.soft }}>
          There may be a new version of it: load the page again. What was saved is safe.
        </p>
      )}
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.snug }}>
        <Button onClick={() => location.reload()}>Reload</Button>
        <ButtonLink look="outline" href="/admin-today">
          Go to Today
        </ButtonLink>
      </div>
    </main>
  )
}
