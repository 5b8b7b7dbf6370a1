import { type ReactNode, useEffect } from 'react'
import { HttpError } from '../client/http.ts'
import { Button } from '../ui/button.tsx'
import { colour, radius, space } from '../ui/theme.ts'
import { reasonOf } from './requests/refusal.ts'

/** Says in the place of a list that it loads, or that it is empty. */
export const Placeholder = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div
    role="status"
    css={{
      padding: `${space.broad} ${space.roomy}`,
      border: `1px dashed ${colour.edge}`,
      borderRadius: radius.card,
      textAlign: 'center',
      overflowWrap: 'anywhere',
    }}
  >
    <p css={{ fontWeight: 600 }}>{title}</p>
    {children && <div css={{ marginTop: space.tight, color: colour.soft }}>{children}</div>}
  </div>
)

/**
 * Shown if a fetch failed: the subject and the reason, in sentences, and a way to try again. Once there is a network
 * again it tries by itself. A refused permission is not tried again: a sentence says so.
 */
export const FetchFailure = ({ title, error, retry }: { title: string; error: Error; retry: () => void }) => {
  const isForbidden = error instanceof HttpError && error.status === 403
  useEffect(() => {
    if (isForbidden) return
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [retry, isForbidden])
  return (
    <div
      role="alert"
      css={{ padding: space.roomy, borderRadius: radius.card, background: colour.badWash, overflowWrap: 'anywhere' }}
    >
      {isForbidden ? (
        <p>{reasonOf(error)}</p>
      ) : (
        <>
          <p css={{ color: colour.bad, fontWeight: 600 }}>{title}</p>
          <p css={{ margin: `${space.hair} 0 ${space.base}` }}>{reasonOf(error)}</p>
          <Button look="outline" onClick={retry}>
            Try again
          </Button>
        </>
      )}
    </div>
  )
}

type PendingProps = { what: string; isLoading: boolean; error: Error | undefined; retry: () => void }

/** Shown until a screen's data is there: that it loads, or why it did not. */
export const Pending = ({ what, isLoading, error, retry }: PendingProps) => {
  if (error) return <FetchFailure title={`Error loading ${what}`} error={error} retry={retry} />
  return isLoading && <Placeholder title={`Loading ${what}...`} />
}
