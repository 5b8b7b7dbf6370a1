import { stored } from '../../client/stored.ts'

/** An item with a time, ISO 8601 in UTC: such times sort as text. */
type Timed = { timestamp: string }

/** A lead or a chat that has a time. */
type Item = Timed & ({ id: string } | { sessionId: string })

export const since = <One extends Timed>(items: readonly One[], instant: string): One[] =>
  items.filter(({ timestamp }) => timestamp > instant)

/** How much later an item may arrive than a younger one: two nodes report simultaneous events in any order. */
const MAX_DELAY_MS = 5_000

const nameOf = (item: Item) => `${item.timestamp}/${'id' in item ? item.id : item.sessionId}`

const delayBefore = (latest: string) => (latest === '' ? '' : new Date(Date.parse(latest) - MAX_DELAY_MS).toISOString())

/**
 * The items that were not shown yet, and the state to store: the time of the latest, and the names of those of the last
 * seconds, so that a delayed one is shown too. The first call, with nothing stored, returns no items.
 */
export const unseenOf = <One extends Item>(seen: string | null, items: readonly One[]) => {
  const [lastSeen = '', ...names] = (seen ?? '').split(' ')
  const isSeen = (item: One) =>
    item.timestamp <= lastSeen &&
    (names.length === 0 || item.timestamp < delayBefore(lastSeen) || names.includes(nameOf(item)))
  const latest = items.reduce((last, { timestamp }) => (timestamp > last ? timestamp : last), lastSeen)
  // a name begins with its time
  const recent = new Set([...names, ...items.map(nameOf)].filter((name) => name >= delayBefore(latest)))
  return { unseen: seen === null ? [] : items.filter((item) => !isSeen(item)), seen: [latest, ...recent].join(' ') }
}

const takeUnseen = <One extends Item>(key: string, items: readonly One[], isFirstShown: boolean): One[] => {
  const seenItems = stored(key, 'device', (value) => (typeof value === 'string' ? value : undefined))
  const { unseen, seen } = unseenOf(seenItems.read() ?? (isFirstShown ? '' : null), items)
  seenItems.keep(seen)
  return unseen
}

/**
 * Takes the items that this browser has not shown yet; `key` is where that is stored. Only one tab at a time does so, so
 * only one shows it. On the first call all items count as old, unless `isFirstShown`.
 */
export const takeUnseenOnce = <One extends Item>(
  key: string,
  items: readonly One[],
  { isFirstShown = false } = {},
): Promise<One[]> => {
  const take = () => takeUnseen(key, items, isFirstShown)
  return navigator.locks ? navigator.locks.request(key, take) : Promise.resolve(take())
}
