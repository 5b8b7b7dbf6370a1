import * as v from 'valibot'
import { randomId } from '../random-id.ts'
import { draftOf } from '../ui/form/draft.ts'

const PREFIX = 'staff/'
/** As long as a session lasts: later nobody comes back for it. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000

const nameOf = (accountId: string, record: string) => `${PREFIX}${accountId}/${record}`

const parsed = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/**
 * What an account has typed about a record and not saved: it stays on the device until it is saved, discarded, or somebody signs
 * out. `schema` reads what an earlier version of this page may have kept.
 */
export const staffDraft = <Typed>(accountId: string, record: string, schema: v.GenericSchema<unknown, Typed>) => {
  const draft = draftOf(nameOf(accountId, record), { staysOnDevice: true })
  return {
    /** What was typed before; nothing where there is none, or none that can be read. */
    read: (): Typed | undefined => {
      const result = v.safeParse(schema, parsed(draft.read().typed))
      return result.success ? result.output : undefined
    },
    keep: (typed: Typed) => draft.keep({ ...draft.read(), typed: JSON.stringify(typed), at: new Date().toISOString() }),
    discard: draft.discard,
    /**
     * The key that a body is sent by. It outlives a reload, so that what is sent again after an answer that got lost is stored
     * once.
     */
    keyFor: (body: string): string => {
      const kept = draft.read()
      if (kept.sent === body && kept.key) return kept.key
      const key = randomId()
      draft.keep({ ...kept, sent: body, key, at: new Date().toISOString() })
      return key
    },
  }
}

const removeDrafts = (isGone: (key: string) => boolean) => {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX) && isGone(key)) localStorage.removeItem(key)
    }
  } catch {
    // a browser that allows no storage has kept none
  }
}

const isOf = (key: string, accountId: string) => {
  const kept = v.safeParse(v.object({ at: v.string() }), parsed(localStorage.getItem(key) ?? undefined))
  const isRecent = kept.success && Date.parse(kept.output.at) > Date.now() - KEPT_MS
  return key.startsWith(nameOf(accountId, '')) && isRecent
}

/** Forgets the drafts about a record: somebody has given them up, or its person was erased. */
export const forgetDraftsAbout = (record: string) => removeDrafts((key) => key.includes(`/${record}-`))

/** Forgets all drafts of staff on this device, but the recent ones of an account: the next person may be someone else. */
export const forgetDrafts = (keptFor?: string) => removeDrafts((key) => keptFor === undefined || !isOf(key, keptFor))
