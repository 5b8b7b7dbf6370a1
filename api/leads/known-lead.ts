import { type KnownLead, readFamily } from '../../events/lead/store/family.ts'
import { familyIds } from '../../events/lead/store/family-ids.ts'
import { RequestError } from '../http/errors.ts'
import type { ApiNode } from '../node/node.ts'

/**
 * Reads a lead, and those merged with it, from the log itself, where a change is visible at once; a merge of another
 * lead into it appears a moment later.
 */
export const readWithFamily = async (node: ApiNode, leadId: string): Promise<[KnownLead, ...KnownLead[]]> => {
  const family = await readFamily(node.sql, await familyIds(node.sql, leadId))
  const known = family.get(leadId)
  if (!known) throw new RequestError('not_found', 'There is no lead with this id')
  return [known, ...[...family.values()].filter((other) => other !== known)]
}

/** The same, without the rest of its family. */
export const readLead = async (node: ApiNode, leadId: string): Promise<KnownLead> =>
  (await readWithFamily(node, leadId))[0]
