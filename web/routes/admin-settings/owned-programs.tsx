import * as v from 'valibot'
import type { LeavingOwner } from '../../../events/staff.ts'
import type { Account } from '../../../events/wire/staff.ts'
import { useTokens } from '../../staff/tokens.ts'
import { useWebhooks } from '../../staff/webhooks.ts'
import { CheckField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'

/** The boxes by which an owner takes over another's tokens and webhooks. */
export const leavingFields = {
  keepsTokens: v.optional(v.boolean(), false),
  keepsWebhooks: v.optional(v.boolean(), false),
}

type Kept = { keepsTokens: boolean; keepsWebhooks: boolean }

export const leavingOf = ({ keepsTokens, keepsWebhooks }: Kept): LeavingOwner => ({
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

/** Lists the tokens and webhooks that an owner has made, who is about to be one no more, and asks which are kept. */
export const OwnedPrograms = ({
  owner: { id, displayName },
  field,
}: {
  owner: Account
  field: (name: keyof Kept) => FieldProps
}) => {
  const { tokens = [] } = useTokens()
  const { webhooks = [] } = useWebhooks()
  const ownTokens = tokens.filter(({ madeById }) => madeById === id)
  const ownWebhooks = webhooks.filter(({ madeById }) => madeById === id)
  return (
    <>
      {ownTokens.length > 0 && (
        <>
          <List title={`API tokens that ${displayName} made`} items={ownTokens} />
          <CheckField
            id="keeps-tokens"
            label="Keep these tokens, as yours. Otherwise they are revoked."
            {...field('keepsTokens')}
          />
        </>
      )}
      {ownWebhooks.length > 0 && (
        <>
          <List
            title={`Webhooks that ${displayName} added`}
            items={ownWebhooks.map(({ id, url }) => ({ id, name: new URL(url).host }))}
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
