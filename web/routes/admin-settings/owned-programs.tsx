import { useEffect, useEffectEvent, useState } from 'react'
import * as v from 'valibot'
import type { LeavingOwner } from '../../../events/staff/staff.ts'
import type { Account } from '../../../events/staff/wire.ts'
import { FetchFailure, Placeholder } from '../../staff/placeholder.tsx'
import { useWebhooks } from '../../staff/webhooks/webhooks.ts'
import { CheckField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'
import { useTokens } from './tokens-api.ts'

/** The check boxes by which an owner takes over another owner's tokens and webhooks. */
export const leavingFields = {
  keepsTokens: v.optional(v.boolean(), false),
  keepsWebhooks: v.optional(v.boolean(), false),
}

type HandedOver = { keepsTokens: boolean; keepsWebhooks: boolean }

export const leavingOf = ({ keepsTokens, keepsWebhooks }: HandedOver): LeavingOwner => ({
  tokens: keepsTokens ? 'hand_over' : 'revoke',
  webhooks: keepsWebhooks ? 'hand_over' : 'pause',
})

const List = ({ title, items }: { title: string; items: { id: string; name: string }[] }) => (
  <div>
    <p>{title}</p>
    <ul aria-label={title} css={{ paddingLeft: space.roomy, overflowWrap: 'anywhere' }}>
      {items.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  </div>
)

type FieldProps = { name: string; error: string | undefined }

/** The tokens and webhooks that an owner has made, fetched anew: undefined until both are loaded. */
const useOwnedPrograms = (ownerId: string) => {
  const { data: tokens, error: tokensError, mutate: fetchTokens } = useTokens()
  const { data: webhooks, error: webhooksError, mutate: fetchWebhooks } = useWebhooks()
  const [areFetched, setFetched] = useState(false)
  const fetchBoth = useEffectEvent(async () => {
    await Promise.all([fetchTokens(), fetchWebhooks()])
    setFetched(true)
  })
  useEffect(() => {
    fetchBoth()
  }, [])
  const areKnown = areFetched && !tokensError && !webhooksError && tokens && webhooks
  const isOwn = ({ madeById }: { madeById: string }) => madeById === ownerId
  return {
    programs: areKnown ? { tokens: tokens.filter(isOwn), webhooks: webhooks.filter(isOwn) } : undefined,
    failures: [
      { title: 'Error loading tokens', error: tokensError, retry: () => fetchTokens() },
      { title: 'Error loading webhooks', error: webhooksError, retry: () => fetchWebhooks() },
    ].flatMap(({ error, ...failure }) => (error ? [{ ...failure, error }] : [])),
  }
}

/**
 * Lists the tokens and webhooks of an owner who is about to lose the role, and asks which to keep. Calls `onKnown` with
 * whether they are shown.
 */
export const OwnedPrograms = ({
  owner: { id, displayName },
  field,
  onKnown,
}: {
  owner: Account
  field: (name: keyof HandedOver) => FieldProps
  onKnown: (areKnown: boolean) => void
}) => {
  const { programs, failures } = useOwnedPrograms(id)
  const areKnown = programs !== undefined
  useEffect(() => {
    onKnown(areKnown)
    return () => onKnown(false)
  }, [areKnown, onKnown])
  if (failures.length > 0) return failures.map((failure) => <FetchFailure key={failure.title} {...failure} />)
  if (!programs) return <Placeholder title="Loading..." />
  const { tokens, webhooks } = programs
  return (
    <>
      {tokens.length > 0 && (
        <>
          <List title={`API tokens that ${displayName} made`} items={tokens} />
          <CheckField
            id="keeps-tokens"
            label="Keep these tokens, as yours. Otherwise they are revoked."
            {...field('keepsTokens')}
          />
        </>
      )}
      {webhooks.length > 0 && (
        <>
          <List
            title={`Webhooks that ${displayName} added`}
            items={webhooks.map(({ id, url }) => ({ id, name: new URL(url).host }))}
          />
          <CheckField
            id="keeps-webhooks"
            label="Keep these webhooks going, as yours. Otherwise they are paused."
            {...field('keepsWebhooks')}
          />
        </>
      )}
    </>
  )
}
