import * as v from 'valibot'
import { randomId } from '../random-id.ts'
import { type Draft, draftOf } from '../ui/form/draft.ts'
import { draftKey } from '../ui/form/draft-kept.ts'
import { listenerSet } from '../ui/store.ts'

const PREFIX = 'staff/'
/** As long as a session lasts: later nobody comes back for it. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000

const nameOf = (accountId: string, record: string) => `${PREFIX}${accountId}/${record}`

const listeners = listenerSet()

/** Calls `listener` when a draft is kept or gone, in this tab or another one. Answers how to stop. */
export const onDraftsChange = (listener: () => void) => {
  const leave = listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    leave()
    removeEventListener('storage', listener)
  }
}

const parsed = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** What was typed, as it is kept, with the key that it is sent by: every tab that has read it has the same. */
type Kept = { typed: string; id: string }

/**
 * What an account has begun about a record, such as what it typed and has not saved: it stays on the device until it is
 * saved, discarded, or somebody signs out. `schema` reads what an earlier version of this page may have kept.
 */
export const staffDraft = <Typed>(accountId: string, record: string, schema: v.GenericSchema<unknown, Typed>) => {
  const name = nameOf(accountId, record)
  const stored = draftOf(name, { staysOnDevice: true })
  const draft = {
    read: stored.read,
    keep: (kept: Draft) => {
      stored.keep(kept)
      listeners.tell()
    },
    discard: () => {
      stored.discard()
      listeners.tell()
    },
  }
  /** What this page has read, and what it has kept last. */
  let restored: Kept | undefined
  let current: Kept | undefined
  return {
    /** Whether something is stored that was typed, here or in another tab. */
    isStored: (): boolean => stored.read().typed !== undefined,
    /** Whether what is stored is what this page has read or kept last: a browser may refuse, and another tab may differ. */
    isKept: (): boolean => current !== undefined && stored.read().typed === current.typed,
    /** What was typed before; nothing where there is none, or none that can be read. */
    read: (): Typed | undefined => {
      const { typed, id = randomId() } = draft.read()
      const result = v.safeParse(schema, parsed(typed))
      if (!result.success || typed === undefined) return undefined
      restored = { typed, id }
      current = restored
      return result.output
    },
    keep: (words: Typed) => {
      const typed = JSON.stringify(words)
      const known = [current, restored].find((kept) => kept?.typed === typed)
      current = known ?? { typed, id: randomId() }
      draft.keep({ ...draft.read(), ...current, at: new Date().toISOString() })
    },
    /** Answers how to put it back, with the key that it was sent by; false where something else was typed since. */
    discard: (): (() => boolean) => {
      const kept = draft.read()
      restored = undefined
      current = undefined
      draft.discard()
      return () => {
        if (draft.read().typed !== undefined) return false
        draft.keep(kept)
        return true
      }
    },
    /**
     * The key that a body is sent by. It outlives a reload, and is the same in every tab that shows what was typed, so
     * that what is sent again is stored once.
     */
    keyFor: (body: string): string => {
      const kept = draft.read()
      if (kept.sent === body && kept.key) return kept.key
      const key = current?.id ?? randomId()
      draft.keep({ ...kept, sent: body, key, at: new Date().toISOString() })
      return key
    },
    /** Calls `tell` when the draft is sent or discarded in another tab. Answers how to stop. */
    onGone: (tell: () => void) => {
      const hear = ({ key, newValue }: StorageEvent) => {
        if (key === draftKey(name) && newValue === null) tell()
      }
      addEventListener('storage', hear)
      return () => removeEventListener('storage', hear)
    },
  }
}

/** Where this device keeps drafts of staff; nowhere where a browser allows no storage. */
const draftKeys = (): string[] => {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
  } catch {
    return []
  }
}

const removeDrafts = (isGone: (key: string) => boolean) => {
  for (const key of draftKeys()) if (isGone(key)) localStorage.removeItem(key)
  listeners.tell()
}

/** What is as good for another lead of the same person. */
const MOVED = ['note', 'email'].map((kind) => draftKey(`-${kind}`))

/** Takes what is kept about a lead over to the one into which it was merged, unless that has such itself. */
export const moveDrafts = (fromLeadId: string, toLeadId: string) => {
  const from = `/lead-${fromLeadId}-`
  for (const key of draftKeys()) {
    if (!key.includes(from) || !MOVED.some((end) => key.endsWith(end))) continue
    const kept = localStorage.getItem(key) ?? ''
    const to = key.replace(from, `/lead-${toLeadId}-`)
    // first, so that a full storage has room for it
    localStorage.removeItem(key)
    if (localStorage.getItem(to) === null) localStorage.setItem(to, kept)
  }
  forgetDraftsAbout(`lead-${fromLeadId}`)
}

const isRecent = (key: string) => {
  const kept = v.safeParse(v.object({ at: v.string() }), parsed(localStorage.getItem(key) ?? undefined))
  return kept.success && Date.parse(kept.output.at) > Date.now() - KEPT_MS
}

/** Forgets what is kept about a record: somebody has given it up, or its person was erased. */
export const forgetDraftsAbout = (record: string) => removeDrafts((key) => key.includes(`/${record}-`))

/** Forgets the drafts that are too old, of every account. */
export const forgetOldDrafts = () => removeDrafts((key) => !isRecent(key))

/** Forgets all drafts of staff on this device, but the recent ones of an account: the next person may be someone else. */
export const forgetDrafts = (keptFor?: string) =>
  removeDrafts((key) => keptFor === undefined || !key.startsWith(nameOf(keptFor, '')) || !isRecent(key))

/** What this device keeps of an account, by the names of its records. */
export const keptRecords = (accountId: string): string[] => {
  const before = nameOf(accountId, '')
  const after = draftKey('')
  return draftKeys()
    .filter((key) => key.startsWith(before) && key.endsWith(after))
    .map((key) => key.slice(before.length, -after.length))
    .filter((record) => draftOf(nameOf(accountId, record), { staysOnDevice: true }).read().typed !== undefined)
}
