import { useMemo } from 'react'
import { FOLLOW_UP_STATUSES } from '../../../events/lead/follow-up/follow-up.ts'
import { kindOfLead } from '../../../events/lead/form/kind.ts'
import { namesOf } from '../../../events/lead/name.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { FORMER_COLLEAGUE } from '../../../events/staff/staff.ts'
import { useColleagues } from '../../staff/account/colleagues.ts'
import { type Due, dueOf } from '../../staff/leads/clock/due.ts'
import type { Column } from '../../staff/leads/list/address.ts'
import type { Sort } from '../../staff/leads/list/groups.ts'
import { useSettings } from '../../staff/settings/settings.ts'
import { useNow } from '../../ui/now.ts'

/** A lead of the working list with what its row shows besides. */
export type Listed = { lead: Lead; owner: string | undefined; due: Due | undefined }

const STATUSES: readonly string[] = FOLLOW_UP_STATUSES

/** The values by which a column puts leads in order; undefined comes last. */
const VALUES: Record<Column, (listed: Listed) => string | number | undefined> = {
  status: ({ lead }) => STATUSES.indexOf(lead.followUpStatus),
  name: ({ lead }) => namesOf(lead).person,
  package: ({ lead }) => kindOfLead(lead).package,
  owner: ({ owner }) => owner,
  due: ({ due }) => due?.at,
}

const compare = (one: string | number | undefined, other: string | number | undefined, sign: number) => {
  if (one === other) return 0
  if (one === undefined) return 1
  if (other === undefined) return -1
  return sign * (typeof one === 'number' ? one - Number(other) : one.localeCompare(String(other)))
}

/** The leads of the working list, in the order of a column; without one they stay in theirs. */
export const inOrderOf = (listed: readonly Listed[], by: Column | undefined, sort: Sort): readonly Listed[] =>
  by ? listed.toSorted((one, other) => compare(VALUES[by](one), VALUES[by](other), sort === 'asc' ? 1 : -1)) : listed

/** The leads with what their rows show, in the order of a column. */
export const useListed = (leads: readonly Lead[], by: Column | undefined, sort: Sort) => {
  const now = useNow()
  const { data: settings } = useSettings()
  const { data: colleagues } = useColleagues()
  // a thousand rows: not again for each one that is opened, selected or scrolled to
  return useMemo(() => {
    const names = new Map(colleagues?.map(({ id, displayName }) => [id, displayName]))
    const nameOf = (ownerId: string) => names.get(ownerId) ?? FORMER_COLLEAGUE
    const history = settings?.supportHoursHistory ?? []
    const listed = leads.map((lead) => ({
      lead,
      owner: lead.ownerId === null ? undefined : nameOf(lead.ownerId),
      due: dueOf(lead, now, history),
    }))
    return inOrderOf(listed, by, sort)
  }, [leads, by, sort, now, settings, colleagues])
}
