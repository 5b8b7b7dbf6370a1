/** What has a time, ISO 8601 in UTC: the order of such times is that of their letters. */
type Timed = { timestamp: string }

/** What came after an instant. */
export const since = <News extends Timed>(news: readonly News[], instant: string): News[] =>
  news.filter(({ timestamp }) => timestamp > instant)

/** Which of some news this browser has told nobody of; from now on it has. At its first look it tells of none. */
const takeUntold = <News extends Timed>(key: string, news: readonly News[]): News[] => {
  const told = localStorage.getItem(key)
  const latest = news.reduce((latest, { timestamp }) => (timestamp > latest ? timestamp : latest), '')
  if (told === null || told < latest) localStorage.setItem(key, latest)
  return told === null ? [] : since(news, told)
}

/**
 * Takes the news that this browser has told nobody of, by the key under which it notes that. One tab at a time does so: of all
 * tabs one tells it.
 */
export const takeNews = <News extends Timed>(key: string, news: readonly News[]): Promise<News[]> => {
  const take = () => takeUntold(key, news)
  return navigator.locks ? navigator.locks.request(key, take) : Promise.resolve(take())
}
