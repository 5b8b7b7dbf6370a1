import { stored } from '../../client/stored.ts'

/** What has a time, ISO 8601 in UTC: the order of such times is that of their letters. */
type Timed = { timestamp: string }

/** A lead or a chat that has a time. */
type News = Timed & ({ id: string } | { sessionId: string })

/** What came after an instant. */
export const since = <One extends Timed>(news: readonly One[], instant: string): One[] =>
  news.filter(({ timestamp }) => timestamp > instant)

/** How late news may come after younger ones: two nodes tell of what happens at once in any order. */
const LATE_MS = 5_000

const nameOf = (one: News) => `${one.timestamp}/${'id' in one ? one.id : one.sessionId}`

const lateBefore = (latest: string) => (latest === '' ? '' : new Date(Date.parse(latest) - LATE_MS).toISOString())

/**
 * Which of some news nobody was told of, and what to keep of them. What is kept is the time of the latest, and the names of
 * those of the last seconds, so that one that comes late is told too. At the first look, when nothing is kept, it is none.
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
 * Takes the news that this browser has told nobody of, by the key under which it notes that. One tab at a time does so:
 * of all tabs one tells it. At the first look all is old, unless `isFirstTold`.
 */
export const takeNews = <One extends News>(
  key: string,
  news: readonly One[],
  { isFirstTold = false } = {},
): Promise<One[]> => {
  const take = () => takeUntold(key, news, isFirstTold)
  return navigator.locks ? navigator.locks.request(key, take) : Promise.resolve(take())
}
