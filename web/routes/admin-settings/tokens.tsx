import type { ApiToken } from '../../../events/staff/api-token-wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { scopesInWords } from '../../staff/account/token-scopes.ts'
import { dayInShort, dayOf, shortMomentOf } from '../../staff/day.ts'
import { DialogButton } from '../../staff/forms/dialog-button.tsx'
import { Pending } from '../../staff/placeholder.tsx'
import { Badge } from '../../ui/badge.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { PanelRow } from './panel-row.tsx'
import { MakeToken, RevokeToken } from './token-dialogs.tsx'
import { useTokens } from './tokens-api.ts'
import type { Section } from './use-settings-form.ts'

/** A token ends with its last day. */
const lastDayOf = (expiresAt: string) => dayInShort(dayOf(new Date(new Date(expiresAt).getTime() - 1)))

const Row = ({ token }: { token: ApiToken }) => {
  const { name, prefix, scopes, madeBy, madeAt, expiresAt, lastUsedAt, isEndedByRestore } = token
  const isOver = expiresAt !== null && new Date(expiresAt) <= serverNow()
  const end = expiresAt === null ? 'no end' : `${isOver ? 'ended' : 'ends'} with ${lastDayOf(expiresAt)}`
  return (
    <PanelRow>
      <div css={{ flex: '1 1 14rem', minWidth: 0, overflowWrap: 'anywhere' }}>
        <p css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight, fontWeight: 600 }}>
          {name}
          {isOver && <Badge>{isEndedByRestore ? 'Ended' : 'Expired'}</Badge>}
        </p>
        <p css={{ fontSize: type.small }}>{scopesInWords(scopes)}</p>
        {isEndedByRestore && (
          <p css={{ fontSize: type.small }}>
            A backup was restored, so this token ended. Make a new one for its program, and revoke this one.
          </p>
        )}
        <p css={{ color: colour.soft, fontSize: type.small }}>
          <code>{prefix}…</code>, made by {madeBy} on {dayInShort(dayOf(madeAt))}, {end},{' '}
          {lastUsedAt ? `last used ${shortMomentOf(lastUsedAt)}` : 'never used'}
        </p>
      </div>
      <DialogButton
        look="quiet"
        aria-label={`Revoke ${name}`}
        dialog={(close) => <RevokeToken token={token} onClose={close} />}
      >
        Revoke
      </DialogButton>
    </PanelRow>
  )
}

export const Tokens = () => {
  const { data: tokens, error, mutate } = useTokens()
  return (
    <>
      <Pending what="tokens" isLoading={!tokens} error={error} retry={() => mutate()} />
      {tokens?.length === 0 && <p css={{ color: colour.soft }}>No tokens yet.</p>}
      {tokens && tokens.length > 0 && (
        <ul aria-label="API tokens" css={{ display: 'grid', gap: space.snug }}>
          {tokens.map((token) => (
            <Row key={token.id} token={token} />
          ))}
        </ul>
      )}
      {tokens && (
        <DialogButton look="quiet" css={{ marginTop: space.base }} dialog={(stop) => <MakeToken onClose={stop} />}>
          Make a token
        </DialogButton>
      )}
    </>
  )
}

export const TOKENS: Section = {
  id: 'api-tokens',
  intro: 'Let other programs read and change leads, and read chats. Each has a token of its own.',
  Form: Tokens,
  Shown: () => <p>Only admins see them.</p>,
}
