import { useMemo, useState } from 'react'
import type { Lead } from '../../../../events/lead/wire.ts'
import { useLeadRefresh } from './refresh.ts'

/** The number of changed leads that are cached besides the fetched ones: far more than a page shows. */
const MAX_REMEMBERED = 500

/** `sent` are the leads that the open stream has sent. */
type LiveChanges = { changed: ReadonlyMap<string, Lead>; sent: ReadonlySet<string>; arrived: ReadonlySet<string> }

export const NO_CHANGES: LiveChanges = { changed: new Map(), sent: new Set(), arrived: new Set() }

/** The news after a batch of changes; `isNew` returns whether a lead was not in sight before. */
export const withChanges = (
  changes: LiveChanges,
  fresh: readonly Lead[],
  isNew: (lead: Lead) => boolean,
): LiveChanges => {
  const before = changes.changed.size > MAX_REMEMBERED ? NO_CHANGES : changes
  return {
    changed: new Map([...before.changed, ...fresh.map((lead) => [lead.id, lead] as const)]),
    sent: new Set([...before.sent, ...fresh.map(({ id }) => id)]),
    arrived: new Set([...before.arrived, ...fresh.filter(isNew).map(({ id }) => id)]),
  }
}

/**
 * The leads as fetched, each in the newer of its two versions: a late response overwrites nothing. A merge changes the
 * shown fields of a lead and not its version. Of two with the same version, the open stream's is newer, because it
 * misses nothing.
 */
export const newest = (rows: readonly Lead[], { changed, sent }: Pick<LiveChanges, 'changed' | 'sent'>): Lead[] =>
  rows.map((row) => {
    const other = changed.get(row.id)
    if (!other) return row
    return other.version > row.version || (other.version === row.version && sent.has(row.id)) ? other : row
  })

/**
 * Keeps a page of a list live: a lead in sight changes in its place; if one enters or leaves the list, page and counts
 * are fetched again, at most once a second. `arrived` holds those that came since the page was opened.
 */
export const useLiveLeads = (
  rows: Lead[] | undefined,
  { belongs, refresh }: { belongs: (lead: Lead) => boolean; refresh: () => void },
) => {
  const [changes, setChanges] = useState(NO_CHANGES)
  useLeadRefresh(refresh, {
    onOpen: () => setChanges((before) => ({ ...before, sent: NO_CHANGES.sent })),
    onLeads: (fresh) => {
      const known = new Set(rows?.map(({ id }) => id))
      const wanted = fresh.filter((lead) => known.has(lead.id) || belongs(lead))
      if (wanted.length > 0) setChanges((before) => withChanges(before, wanted, ({ id }) => !known.has(id)))
      return wanted.some((lead) => !known.has(lead.id) || !belongs(lead))
    },
  })
  const live = useMemo(() => rows && newest(rows, changes), [rows, changes])
  return { leads: live, arrived: changes.arrived }
}
