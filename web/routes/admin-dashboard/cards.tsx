import type { Lead } from '../../../events/lead/wire.ts'
import type { Day } from '../../staff/day.ts'
import { useLeadKeys } from '../../staff/leads/keys/lead-keys.tsx'
import { groupByDay, type Sort } from '../../staff/leads/list/groups.ts'
import { ListedIds, useReturnToList } from '../../staff/leads/list/place.ts'
import { LeadCard } from '../../staff/leads/shown/card.tsx'
import { DayGroup } from './day-group.tsx'

export const Cards = (props: {
  leads: Lead[]
  sort: Sort
  /** The number of leads that a day has on all pages. */
  counts: ReadonlyMap<Day, number>
  isOneDay: boolean
  arrived: ReadonlySet<string>
  onChanged: () => void
}) => {
  useReturnToList()
  const choices = useLeadKeys(props)
  const days = groupByDay(props.leads, props.sort)
  const ids = days.flatMap(({ leads }) => leads.map(({ id }) => id))
  return (
    <ListedIds value={ids}>
      {choices}
      {days.map(({ day, leads }) => (
        <DayGroup
          key={day}
          day={day}
          isTitled={props.isOneDay}
          count={Math.max(props.counts.get(day) ?? 0, leads.length)}
          leads={leads}
          arrived={props.arrived}
          show={(lead) => <LeadCard lead={lead} heading="h4" />}
        />
      ))}
    </ListedIds>
  )
}
