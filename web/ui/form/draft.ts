import { draftKey } from './draft-kept.ts'

/** What was filled in as far as it goes, by field; only what is not blank. */
export type Draft = Record<string, string>

// A browser may refuse storage altogether (private windows, blocked site data): the form works all the same.
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/**
 * The draft of the form with this name. A long form's stays on the device until it is sent or discarded, a short one's as
 * long as the tab: who somebody is should not stay behind on a computer that others use.
 */
export const draftOf = (name: string, { staysOnDevice = false }: { staysOnDevice?: boolean } = {}) => {
  const key = draftKey(name)
  const store = () => (staysOnDevice ? localStorage : sessionStorage)
  return {
    /** What an earlier look at the page left; nothing where there is none, or none that can be read. */
    read: (): Draft =>
      attempt(() => {
        const kept: unknown = JSON.parse(store().getItem(key) ?? '{}')
        return Object.fromEntries(Object.entries(kept as object).filter(([, value]) => typeof value === 'string'))
      }) ?? {},
    keep: (draft: Draft) => attempt(() => store().setItem(key, JSON.stringify(draft))),
    discard: () => attempt(() => store().removeItem(key)),
  }
}
