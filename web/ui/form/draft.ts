import { draftKey } from './draft-kept.ts'

/** The filled-in fields; blank ones are left out. */
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
 * The draft of the form with this name. A long form's draft stays on the device until it is sent or discarded, a short
 * one's as long as the tab: personal details must not stay on a shared computer.
 */
export const draftOf = (name: string, { staysOnDevice = false }: { staysOnDevice?: boolean } = {}) => {
  const key = draftKey(name)
  const store = () => (staysOnDevice ? localStorage : sessionStorage)
  return {
    /** The draft of an earlier visit; empty if there is none or it cannot be read. */
    read: (): Draft =>
      attempt(() => {
        const kept: unknown = JSON.parse(store().getItem(key) ?? '{}')
        return Object.fromEntries(Object.entries(kept as object).filter(([, value]) => typeof value === 'string'))
      }) ?? {},
    keep: (draft: Draft) => attempt(() => store().setItem(key, JSON.stringify(draft))),
    discard: () => attempt(() => store().removeItem(key)),
  }
}
