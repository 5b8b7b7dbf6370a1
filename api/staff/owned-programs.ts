import { apiTokenRevoked, webhookChanged } from '../../events/staff/account-history.ts'
import type { LeavingOwner } from '../../events/staff/staff.ts'
import { closePasswordLinksBy } from '../../events/staff/store/password-link.ts'
import type { Transaction } from '../../events/stores/connection.ts'
import { pauseWebhook, webhookHost } from '../../events/webhook/store/webhooks.ts'
import type { Trail } from './trail.ts'

const revokeTokens = async (tx: Transaction, ownerId: string, { by, from, note }: Trail) => {
  const revoked = await tx<{ id: string }[]>`
    update api_tokens set revoked_at = now() where made_by = ${ownerId} and revoked_at is null returning id`
  for (const { id } of revoked) await note(apiTokenRevoked({ tokenId: id, by, from }))
}

const pauseWebhooks = async (tx: Transaction, ownerId: string, { by, from, note }: Trail) => {
  const made = await tx<{ id: string }[]>`select id from webhooks where made_by = ${ownerId} and removed_at is null`
  for (const { id } of made) {
    if (!(await pauseWebhook(tx, id, true))) continue
    const host = await webhookHost(tx, id)
    await note(webhookChanged({ webhookId: id, change: 'paused', ...(host && { host }), by, from }))
  }
}

/**
 * Ends the access that a removed or demoted owner has granted: revokes their tokens and pauses their webhooks, or hands
 * them over to the acting owner, and closes the password links that they made.
 */
export const settlePrograms = async (
  tx: Transaction,
  ownerId: string,
  { tokens, webhooks }: LeavingOwner,
  trail: Trail,
): Promise<void> => {
  const newOwnerId = trail.by === ownerId ? null : trail.by
  if (tokens === 'hand_over' && newOwnerId !== null) {
    await tx`update api_tokens set made_by = ${newOwnerId} where made_by = ${ownerId} and revoked_at is null`
  } else await revokeTokens(tx, ownerId, trail)
  if (webhooks === 'hand_over' && newOwnerId !== null) {
    await tx`update webhooks set made_by = ${newOwnerId} where made_by = ${ownerId} and removed_at is null`
  } else await pauseWebhooks(tx, ownerId, trail)
  await closePasswordLinksBy(tx, ownerId)
}
