import {
  type ChangeEvent,
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Lead } from '../../../events/lead/wire.ts'
import { useMe } from '../../staff/account/account.ts'
import { type Day, dayInWords, dayOf } from '../../staff/day.ts'
import { draftRecords, onDraftsChange } from '../../staff/drafts/drafts.tsx'
import { useLeadKeys } from '../../staff/leads/keys/lead-keys.tsx'
import type { Column } from '../../staff/leads/list/address.ts'
import { ListedIds, useReturnToList } from '../../staff/leads/list/place.ts'
import { focusRow, focusTitle, rowId } from '../../staff/list/list-keys.ts'
import { PANEL_HEIGHT, withPanel } from '../../staff/shell/side-panel.tsx'
import { colour, from, space, unseen } from '../../ui/theme.ts'
import { ALL_COLUMNS, COLUMN_WIDTHS, LeadRow, ONE_LINE, rowsLook, TWO_LINES, tick } from './lead-row.tsx'
import { Peek } from './peek.tsx'
import { PICKED_ACTIONS, PICKED_HEIGHT, PickedBar } from './picked-bar.tsx'
import { type Listed, useListed } from './use-list-order.ts'
import { usePeek } from './use-peek.ts'
import { usePicks } from './use-picks.ts'
import type { View } from './use-view.ts'

/** So many rows more are rendered whenever the end of the list comes near. */
const MORE_ROWS = 50
const NEAR_END = '1500px'

/** The heights that cover the foot of the list on a small window, so that rows are scrolled to above them. */
const coveredBy = ({ peeked, picked }: { peeked: boolean; picked: boolean }) => ({
  '--preview': peeked ? PANEL_HEIGHT : '0px',
  '--picked': picked ? PICKED_HEIGHT : '0px',
  [from.large]: { '--preview': '0px' },
})

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

const useDrafted = (): ReadonlySet<string> => {
  const { data: me } = useMe()
  const records = useSyncExternalStore(onDraftsChange, () => (me ? draftRecords(me.id).join() : ''))
  return new Set(records.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))
}

/** The number of rows to render, and the ref of the element after the last one: it grows as that comes near. */
const useGrowing = (total: number, from: number, onMore: () => void) => {
  const [shown, setShown] = useState(from + MORE_ROWS)
  const end = useRef<HTMLDivElement>(null)
  const grow = useEffectEvent(() => {
    setShown(shown + MORE_ROWS)
    if (shown + MORE_ROWS >= total) onMore()
  })
  const rendered = Math.min(shown, total)
  useEffect(() => {
    if (rendered === 0 || !end.current || !('IntersectionObserver' in window)) return
    const watching = new IntersectionObserver(([entry]) => entry?.isIntersecting && grow(), { rootMargin: NEAR_END })
    watching.observe(end.current)
    return () => watching.disconnect()
    // observed again after each growth: the end may still be near, and reports only when that changes
  }, [rendered])
  return { shown: 'IntersectionObserver' in window ? shown : total, end }
}

const HEADS: readonly { column: Column | undefined; label: string; name: string; area: string }[] = [
  { column: 'status', label: '◐', name: 'status', area: 'status' },
  { column: 'name', label: 'Name', name: 'name', area: 'name' },
  { column: 'package', label: 'Package', name: 'package', area: 'package' },
  { column: 'owner', label: '◯', name: 'assigned', area: 'face' },
  { column: 'due', label: 'Due', name: 'due', area: 'due' },
  { column: undefined, label: 'Time', name: 'time', area: 'time' },
]

const headLook = {
  display: 'flex',
  position: 'sticky',
  zIndex: 2,
  top: 'var(--top, 0px)',
  alignItems: 'center',
  height: '1.75rem',
  background: colour.paper,
  '& label': { display: 'flex', alignItems: 'center', padding: `0 ${space.tight}` },
  '& > div': { display: 'grid', flex: 1, alignItems: 'center', gap: space.snug, paddingRight: space.tight },
  '& button': {
    minWidth: 0,
    minHeight: '1.5rem',
    padding: 0,
    border: 0,
    background: 'none',
    color: colour.soft,
    fontSize: '0.75rem',
    fontWeight: 500,
    textAlign: 'left',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
  },
  '& button:hover, & button[aria-pressed=true]': { color: colour.ink },
  [TWO_LINES]: { display: 'none' },
  [ONE_LINE]: {
    '& > div': { gridTemplateColumns: COLUMN_WIDTHS.narrow, gridTemplateAreas: '"status name face due"' },
    '& [data-area=package], & [data-area=time]': { display: 'none', [ALL_COLUMNS]: { display: 'block' } },
  },
  [ALL_COLUMNS]: {
    '& > div': {
      gridTemplateColumns: COLUMN_WIDTHS.all,
      gridTemplateAreas: '"status name message package face due time"',
    },
    '& [data-area=time]': { textAlign: 'right' },
  },
} as const

/** The heads of the columns: a press puts the list in their order, a second one turns it. */
const Heads = ({
  view,
  step,
  isAll,
  onPickAll,
}: Pick<View, 'view' | 'step'> & { isAll: boolean; onPickAll: (isAll: boolean) => void }) => (
  <div css={headLook}>
    <label>
      <input
        type="checkbox"
        aria-label="Select all on this page"
        checked={isAll}
        onChange={({ target }) => onPickAll(target.checked)}
        css={tick}
      />
    </label>
    <div>
      {HEADS.map(({ column, label, name, area }) => {
        const isChosen = view.by === column
        const first = column ? 'asc' : 'desc'
        const isTurned = isChosen && view.sort !== first
        return (
          <button
            key={name}
            type="button"
            data-area={area}
            aria-pressed={isChosen}
            aria-label={`Sort by ${name}${isTurned ? ', reversed' : ''}`}
            onClick={() =>
              step({ by: column, sort: isChosen && !isTurned ? (first === 'asc' ? 'desc' : 'asc') : first })
            }
            style={{ gridArea: area }}
          >
            {label}
            {isChosen && <span aria-hidden> {view.sort === 'asc' ? '↑' : '↓'}</span>}
          </button>
        )
      })}
    </div>
  </div>
)

const groupHead = {
  position: 'sticky',
  zIndex: 1,
  top: 'var(--top, 0px)',
  display: 'flex',
  alignItems: 'center',
  gap: space.tight,
  height: '1.75rem',
  padding: `0 ${space.tight}`,
  background: colour.sunk,
  fontSize: '0.75rem',
  fontWeight: 600,
  '& span': { color: colour.soft, fontWeight: 400 },
  [ONE_LINE]: { top: 'calc(var(--top, 0px) + 1.75rem)' },
} as const

/** The day of a group, in one word if it is near. */
const groupName = (day: Day, today: Day) => {
  if (day === today) return 'Today'
  const yesterday = dayOf(new Date(Date.parse(`${today}T12:00:00+02:00`) - 24 * 60 * 60 * 1000))
  return day === yesterday ? 'Yesterday' : dayInWords(day)
}

const Group = ({ title, count, children }: { title: string; count: number; children: readonly ReactNode[] }) => (
  <section aria-label={title}>
    <h2 css={groupHead}>
      {title} <span>{count}</span>
    </h2>
    <ul data-rows style={{ '--rows': children.length } as CSSProperties}>
      {children}
    </ul>
  </section>
)

/**
 * The leads of the working list in rows, by day as long as they are in the order of their submission; with navigation by
 * keys, the panel next to them, and changes to many at once. `onMore` is called as the last row comes near.
 */
export const Rows = (props: {
  leads: readonly Lead[]
  counts: ReadonlyMap<Day, number>
  view: View['view']
  step: View['step']
  onChanged: () => void
  onMore: () => void
}) => {
  const { leads, counts, view, step, onChanged, onMore } = props
  const { by, sort, today } = view
  const listed = useListed(leads, by, sort)
  const drafted = useDrafted()
  const openedId = useReturnToList()
  const { peeked, peek } = usePeek(leads, openedId)
  const ids = listed.map(({ lead }) => lead.id)
  const { picked, lastId, isPicked, pick, toggle, pickAll, clear } = usePicks(leads, ids)
  const { shown, end } = useGrowing(listed.length, Math.max(0, ids.indexOf(openedId ?? '')), onMore)
  const seen = peeked?.id
  useEffect(() => {
    if (seen) document.getElementById(rowId(seen))?.closest('[data-row]')?.scrollIntoView({ block: 'nearest' })
  }, [seen])
  useFocusInPlace(ids, seen === undefined ? [] : [seen])
  useFocusInPlace(
    ids,
    picked.map(({ id }) => id),
  )
  const onSelection = picked.length > 0 ? PICKED_ACTIONS : undefined
  const choices = useLeadKeys({ leads, shownId: seen, show: peek, select: toggle, onSelection, onChanged })
  const idAt = (target: EventTarget) =>
    target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset.row : undefined
  const open = ({ target }: MouseEvent) => {
    const id = target instanceof Element && target.closest('button') ? idAt(target) : undefined
    if (id) peek(id === seen ? undefined : id)
  }
  const choose = (event: ChangeEvent<HTMLElement>) => {
    const id = idAt(event.target)
    if (id) pick(id, event as ChangeEvent<HTMLInputElement>)
  }
  const row = ({ lead, owner, due }: Listed) => (
    <LeadRow
      key={lead.id}
      lead={lead}
      owner={owner}
      due={due?.text}
      tone={due?.tone}
      hasDraft={drafted.has(lead.id)}
      isPeeked={lead.id === seen}
      isPicked={isPicked(lead.id)}
    />
  )
  const rendered = listed.slice(0, shown)
  const days = Map.groupBy(rendered, ({ lead }) => dayOf(lead.timestamp))
  return (
    <ListedIds value={ids}>
      <div css={coveredBy({ peeked: peeked !== undefined, picked: picked.length > 0 })}>
        {choices}
        <div css={peeked && withPanel}>
          <div css={{ containerType: 'inline-size', minWidth: 0 }}>
            <Heads view={view} step={step} isAll={picked.length === leads.length} onPickAll={pickAll} />
            {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: for the buttons in it */}
            <div
              css={rowsLook}
              onClick={open}
              onChange={choose}
              // with Shift the browser would select the text in between
              onMouseDown={(event) => event.shiftKey && event.preventDefault()}
            >
              {by ? (
                <ul>{rendered.map(row)}</ul>
              ) : (
                [...days].map(([day, ofDay]) => (
                  <Group key={day} title={groupName(day, today)} count={Math.max(counts.get(day) ?? 0, ofDay.length)}>
                    {ofDay.map(row)}
                  </Group>
                ))
              )}
            </div>
            <div ref={end} css={unseen} />
            {picked.length > 0 && <PickedBar picked={picked} onDone={onChanged} onClear={clear} lastId={lastId} />}
          </div>
          {peeked && (
            <Peek
              key={peeked.id}
              lead={peeked}
              position={`${ids.indexOf(peeked.id) + 1} of ${ids.length}`}
              onChanged={onChanged}
              onClose={() => {
                peek(undefined)
                focusRow(peeked.id)
              }}
            />
          )}
        </div>
      </div>
    </ListedIds>
  )
}
