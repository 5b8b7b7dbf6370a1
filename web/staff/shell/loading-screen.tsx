import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { colour, radius, space, unseen } from '../../ui/theme.ts'

/** After this long without a response a hint is due. */
const SLOW_MS = 4_000

const Shape = ({ width, height }: { width: string; height: string }) => (
  <div css={{ width, maxWidth: '100%', height, borderRadius: radius.control, background: colour.sunk }} />
)

const Slow = ({ retry }: { retry: () => void }) => {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" css={{ minHeight: '2.75rem', marginBottom: space.base }}>
      {isSlow && (
        <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.snug }}>
          <p>The server takes longer than usual to say who is signed in.</p>
          <Button look="outline" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

/**
 * The placeholder of a screen until the signed-in account is known: shapes without content, and after some seconds a
 * way to try again.
 */
export const LoadingScreen = ({ retry }: { retry: () => void }) => {
  const [tries, setTries] = useState(1)
  return (
    <>
      <h1 css={unseen}>Loading...</h1>
      <Slow
        key={tries}
        retry={() => {
          setTries(tries + 1)
          retry()
        }}
      />
      <div aria-hidden="true" css={{ display: 'grid', gap: space.base }}>
        <Shape width="14rem" height="2.5rem" />
        <Shape width="22rem" height="1.25rem" />
        {[1, 2, 3].map((row) => (
          <Shape key={row} width="100%" height="5rem" />
        ))}
      </div>
    </>
  )
}
