import { DRAFT_STORAGE_KEY } from './draft-kept.ts'

/** The answers as far as they go, by field; only what is not blank. */
export type Draft = Record<string, string>

// A browser may refuse storage altogether (private windows, blocked site data): the form works all the same.
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** What stands in these fields of a form now, where it is not blank. */
export const answersOf = (form: HTMLFormElement, fields: readonly string[]): Draft => {
  const data = new FormData(form)
  return Object.fromEntries(fields.map((name) => [name, String(data.get(name) ?? '')]).filter(([, value]) => value))
}

/** The draft of an earlier visit; undefined where there is none, or none that can be read. */
export const readDraft = (): Draft | undefined =>
  attempt(() => {
    const kept: unknown = JSON.parse(localStorage.getItem(DRAFT_STORAGE_KEY) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return undefined
    return Object.fromEntries(Object.entries(kept).filter(([, value]) => typeof value === 'string'))
  })

export const keepDraft = (draft: Draft) => attempt(() => localStorage.setItem(DRAFT_STORAGE_KEY, JSON.stringify(draft)))

export const discardDraft = () => attempt(() => localStorage.removeItem(DRAFT_STORAGE_KEY))
