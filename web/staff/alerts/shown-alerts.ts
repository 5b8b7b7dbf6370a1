import { stored } from '../../client/stored.ts'

/** An item with a time, ISO 8601 in UTC: such times sort as text. */
type Timed = { timestamp: string }

/** A lead or a chat that has a time. */
type News = Timed & ({ id: string } | { sessionId: string })

/** The news after an instant. */
export const since = <One extends Timed>(news: readonly One[], instant: string): One[] =>
  news.filter(({ timestamp }) => timestamp > instant)

/** How late news may arrive after younger ones: two nodes report simultaneous events in any order. */
const LATE_MS = 5_000

const nameOf = (one: News) => `${one.timestamp}/${'id' in one ? one.id : one.sessionId}`

const lateBefore = (latest: string) => (latest === '' ? '' : new Date(Date.parse(latest) - LATE_MS).toISOString())

/**
 * The news that were not shown yet, and the state to store: the time of the latest, and the names of those of the last
 * seconds, so that a late one is shown too. The first call, with nothing stored, returns no news.
 */
export const untoldOf = <One extends News>(kept: string | null, news: readonly One[]) => {
  const [told = '', ...names] = (kept ?? '').split(' ')
  const isTold = (one: One) =>
    one.timestamp <= told && (names.length === 0 || one.timestamp < lateBefore(told) || names.includes(nameOf(one)))
  const latest = news.reduce((last, { timestamp }) => (timestamp > last ? timestamp : last), told)
  // a name begins with its time
  const lately = new Set([...names, ...news.map(nameOf)].filter((name) => name >= lateBefore(latest)))
  return { untold: kept === null ? [] : news.filter((one) => !isTold(one)), kept: [latest, ...lately].join(' ') }
}

const takeUntold = <One extends News>(key: string, news: readonly One[], isFirstTold: boolean): One[] => {
  const toldOf = stored(key, 'device', (value) => (typeof value === 'string' ? value : undefined))
  const { untold, kept } = untoldOf(toldOf.read() ?? (isFirstTold ? '' : null), news)
  toldOf.keep(kept)
  return untold
}

/**
 * Takes the news that this browser has not shown yet; `key` is where that is stored. Only one tab at a time does so, so
 * only one shows it. On the first call all news count as old, unless `isFirstTold`.
 */
export const takeNews = <One extends News>(
  key: string,
  news: readonly One[],
  { isFirstTold = false } = {},
): Promise<One[]> => {
  const take = () => takeUntold(key, news, isFirstTold)
  return navigator.locks ? navigator.locks.request(key, take) : Promise.resolve(take())
}
