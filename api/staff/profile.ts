import { randomUUID } from 'node:crypto'
import { staffProfileChanged } from '../../events/staff/account-history.ts'
import type { Profile } from '../../events/staff/staff.ts'
import { inTransaction, type Sql, type Transaction } from '../../events/stores/connection.ts'
import type { Bus } from '../../events/stores/redis/bus.ts'
import { invalidField } from '../http/errors.ts'
import { photoFlaw, photoTag, readPhoto } from './photos.ts'
import type { Trail } from './trail.ts'

/** The channel that notifies nodes of changes of names and photos of staff, and of accounts. */
export const STAFF_CHANNEL = 'staff-changed'

/** Notifies all nodes of changed staff; while Redis is away pages see the change within a minute. */
export const notifyStaffChanged = async (bus: Pick<Bus, 'publish'>): Promise<void> => {
  await bus.publish(STAFF_CHANNEL, '')
}

const bytesOf = (photo: string): Buffer | null => {
  const flaw = photoFlaw(photo)
  if (flaw) throw invalidField('photo', flaw)
  return readPhoto(photo)?.file ?? null
}

type Known = { displayName: string; tag: string | null }

/**
 * Changes how an account appears to colleagues, and records that in the log; a change without effect is not recorded.
 * Returns false if there is no such account.
 */
export const changeProfile = async (
  tx: Transaction,
  accountId: string,
  { displayName, photo }: Profile,
  { by, from, note }: Trail,
): Promise<boolean> => {
  const [known] = await tx<Known[]>`
    select display_name as "displayName", photo_tag as tag from staff
    where id = ${accountId} and removed_at is null for update`
  if (!known) return false
  const file = photo ? bytesOf(photo) : null
  const tag = file && photoTag(file)
  const name = displayName !== undefined && displayName !== known.displayName && { displayName }
  const isOtherPhoto = photo !== undefined && tag !== known.tag
  if (!name && !isOtherPhoto) return true
  if (name) await tx`update staff set display_name = ${name.displayName} where id = ${accountId}`
  if (isOtherPhoto) await tx`update staff set photo = ${file}, photo_tag = ${tag} where id = ${accountId}`
  const id = randomUUID()
  const changed = [...(name ? (['name'] as const) : []), ...(isOtherPhoto ? (['photo'] as const) : [])]
  const personal = { ...name }
  await note(staffProfileChanged({ accountId, by, from, changed }, { subjectId: id, personal }), id)
  return true
}

/** Changes one's own name and photo. */
export const changeOwnProfile = (sql: Sql, accountId: string, wanted: Profile, trail: Trail): Promise<boolean> =>
  inTransaction(sql, (tx) => changeProfile(tx, accountId, wanted, trail))
