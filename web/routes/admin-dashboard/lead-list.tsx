import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import type { Lead } from '../../../events/lead/wire.ts'
import type { Day } from '../../staff/day.ts'
import { groupByDay, type Sort } from '../../staff/leads/list/groups.ts'
import { useLeadKeys } from '../../staff/leads/list/lead-keys.tsx'
import { ListedIds, useReturnToList } from '../../staff/leads/list/place.ts'
import { LeadCard } from '../../staff/leads/shown/card.tsx'
import { focusRow, rowId } from '../../staff/list-keys.ts'
import { PANEL_HEIGHT, withPanel } from '../../staff/shell/side-panel.tsx'
import { from, space, type } from '../../ui/theme.ts'
import { DayGroup } from './day-group.tsx'
import type { Density } from './density.tsx'
import { LeadRow, tick } from './lead-row.tsx'
import { Peek } from './peek.tsx'
import { PICKED_HEIGHT, PickedBar } from './picked-bar.tsx'
import { usePeek } from './use-peek.ts'
import { usePicks } from './use-picks.ts'
import { LIST_TITLE } from './use-view.ts'

type Listed = {
  leads: Lead[]
  sort: Sort
  /** The number of leads that a day has on all pages. */
  counts: ReadonlyMap<Day, number>
  isOneDay: boolean
  arrived: ReadonlySet<string>
}

type Acting = { onChanged: () => void }

const Days = (props: Listed & { isInRows: boolean; show: (lead: Lead) => ReactNode }) =>
  groupByDay(props.leads, props.sort).map(({ day, leads }) => (
    <DayGroup
      key={day}
      day={day}
      isTitled={props.isOneDay}
      count={Math.max(props.counts.get(day) ?? 0, leads.length)}
      leads={leads}
      arrived={props.arrived}
      isInRows={props.isInRows}
      show={props.show}
    />
  ))

const SelectAll = ({ isAll, onSelect }: { isAll: boolean; onSelect: (isSelected: boolean) => void }) => (
  <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: `0 ${space.roomy}`, fontSize: type.small }}>
    <label
      css={{
        display: 'flex',
        alignItems: 'center',
        gap: space.snug,
        minHeight: '2.75rem',
        padding: `0 ${space.snug}`,
      }}
    >
      <input type="checkbox" checked={isAll} onChange={({ target }) => onSelect(target.checked)} css={tick} />
      Select all on this page
    </label>
  </div>
)

/** The heights that cover the foot of the list on a small window, so that rows are scrolled to above them. */
const coveredBy = ({ peeked, picked }: { peeked: boolean; picked: boolean }) => ({
  '--preview': peeked ? PANEL_HEIGHT : '0px',
  '--picked': picked ? PICKED_HEIGHT : '0px',
  [from.large]: { '--preview': '0px' },
})

const focusTitle = () => document.getElementById(LIST_TITLE)?.focus()

/**
 * Moves the focus when a change removes leads from the list, and with them the element that had it: to the row in place
 * of the first of them, or to the list's heading if no row is left.
 */
const useFocusInPlace = (ids: readonly string[], acted: readonly string[]) => {
  const place = ids.findIndex((id) => acted.includes(id))
  const first = ids[place]
  const last = useRef<{ id: string; place: number }>(undefined)
  const isListed = useEffectEvent((id: string) => ids.includes(id))
  const focusAfterRemoval = useEffectEvent(() => {
    if (!last.current || document.activeElement !== document.body) return
    const next = ids[Math.min(last.current.place, ids.length - 1)]
    if (next === undefined) focusTitle()
    else focusRow(next)
  })
  useEffect(() => {
    if (first === undefined) {
      focusAfterRemoval()
      last.current = undefined
      // they may disappear one by one
    } else if (!last.current || isListed(last.current.id)) last.current = { id: first, place }
  }, [first, place])
  // an empty list disappears as a whole
  useEffect(
    () => () => {
      if (last.current && document.activeElement === document.body) focusTitle()
    },
    [],
  )
}

const idsInOrder = ({ leads, sort }: Pick<Listed, 'leads' | 'sort'>) =>
  groupByDay(leads, sort).flatMap(({ leads: ofDay }) => ofDay.map(({ id }) => id))

/** Leads in rows of 44 px, with navigation by keys, a preview next to the list, and changes to many at once. */
const Rows = ({ onChanged, openedId, ...listed }: Listed & Acting & { openedId: string | undefined }) => {
  const { leads } = listed
  const { peeked, peek } = usePeek(leads, openedId)
  const ids = idsInOrder(listed)
  const { picked, lastId, isPicked, pick, toggle, pickAll, clear } = usePicks(leads, ids)
  const seen = peeked?.id
  useEffect(() => {
    if (seen) document.getElementById(rowId(seen))?.scrollIntoView({ block: 'nearest' })
  }, [seen])
  useFocusInPlace(ids, seen === undefined ? [] : [seen])
  useFocusInPlace(
    ids,
    picked.map(({ id }) => id),
  )
  const choices = useLeadKeys({ leads, ids, shownId: seen, show: peek, select: toggle, onChanged })
  return (
    <div css={coveredBy({ peeked: peeked !== undefined, picked: picked.length > 0 })}>
      {choices}
      <SelectAll isAll={picked.length === leads.length} onSelect={pickAll} />
      <div css={peeked && withPanel()}>
        <div css={{ containerType: 'inline-size', minWidth: 0 }}>
          <Days
            {...listed}
            isInRows
            show={(lead) => (
              <LeadRow
                lead={lead}
                isPeeked={lead === peeked}
                isPicked={isPicked(lead.id)}
                onPeek={() => peek(lead === peeked ? undefined : lead.id)}
                onPick={(event) => pick(lead.id, event)}
              />
            )}
          />
          {picked.length > 0 && <PickedBar picked={picked} onDone={onChanged} onClear={clear} lastId={lastId} />}
        </div>
        {peeked && (
          <Peek
            key={peeked.id}
            lead={peeked}
            onChanged={onChanged}
            onClose={() => {
              peek(undefined)
              focusRow(peeked.id)
            }}
          />
        )}
      </div>
    </div>
  )
}

/** A page of leads by day, as cards or in rows. */
export const LeadList = ({ density, onChanged, ...listed }: Listed & Acting & { density: Density }) => {
  const openedId = useReturnToList()
  return (
    <ListedIds value={idsInOrder(listed)}>
      {density === 'cards' ? (
        <Days {...listed} isInRows={false} show={(lead) => <LeadCard lead={lead} heading="h4" />} />
      ) : (
        <Rows {...listed} onChanged={onChanged} openedId={openedId} />
      )}
    </ListedIds>
  )
}
