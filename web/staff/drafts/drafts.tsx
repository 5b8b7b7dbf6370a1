import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { randomId } from '../../client/random-id.ts'
import { listenerSet } from '../../client/store.ts'
import { stored } from '../../client/stored.ts'
import { draftKey } from '../../ui/form/form-storage.ts'
import { colour, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'

const PREFIX = 'staff/'
/** As long as a session lasts: a later return is unlikely. */
const STORED_MS = 7 * 24 * 60 * 60 * 1000

const accountKey = (accountId: string) => `${PREFIX}${accountId}/`

const listeners = listenerSet()

/**
 * Calls `listener` when a draft is stored or deleted, in this tab or another one. Returns the function that
 * unsubscribes.
 */
export const onDraftsChange = (listener: () => void) => {
  const leave = listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    leave()
    removeEventListener('storage', listener)
  }
}

/**
 * A draft as it is stored. Each change of `value` has its own `id`; `sent` is the body that was sent last, with its
 * idempotency key. A form that is sent unchanged has no value.
 */
const storedDraft = v.object({
  value: v.exactOptional(v.unknown()),
  savedAt: v.string(),
  id: v.string(),
  sent: v.exactOptional(v.object({ body: v.string(), key: v.string() })),
})

type StoredDraft = v.InferOutput<typeof storedDraft>

const storedAt = (key: string) =>
  stored<StoredDraft>(key, 'device', (value) => (v.is(storedDraft, value) ? value : undefined))

const readStored = (key: string) => storedAt(key).read()

const writeStored = (key: string, draft: Omit<StoredDraft, 'savedAt'> | undefined) => {
  if (draft) storedAt(key).keep({ ...draft, savedAt: new Date().toISOString() })
  else storedAt(key).discard()
  listeners.notify()
}

/**
 * Unfinished work of an account on a record, such as unsaved text. It stays on the device until it is saved or
 * discarded, or the account signs out. `schema` reads values that an earlier version of this page stored.
 */
export class Draft<Value> {
  readonly #key: string
  readonly #schema: v.GenericSchema<unknown, Value>
  /** The value that this page has read or stored last. */
  #current: { id: string; text: string } | undefined

  constructor(accountId: string, record: string, schema: v.GenericSchema<unknown, Value>) {
    this.#key = draftKey(accountKey(accountId) + record)
    this.#schema = schema
  }

  /** Whether a value is stored, by this tab or another one. */
  exists = (): boolean => readStored(this.#key)?.value !== undefined

  /** Whether the stored value is that of this page: a browser may refuse to store it, and another tab may replace it. */
  isStored = (): boolean => this.#current !== undefined && readStored(this.#key)?.id === this.#current.id

  /** The stored value; undefined if there is none, or none that can be read. */
  read(): Value | undefined {
    const known = readStored(this.#key)
    const { success, output } = v.safeParse(this.#schema, known?.value)
    if (!known || !success) return undefined
    this.#current = { id: known.id, text: JSON.stringify(known.value) }
    return output
  }

  store(value: Value) {
    const text = JSON.stringify(value)
    if (text !== this.#current?.text) this.#current = { id: randomId(), text }
    writeStored(this.#key, { ...readStored(this.#key), value, id: this.#current.id })
  }

  /**
   * Deletes the draft. Returns the function that restores it with the key that it was sent by; that returns false if
   * another draft was stored since then.
   */
  discard = (): (() => boolean) => {
    const discarded = readStored(this.#key)
    this.#current = undefined
    writeStored(this.#key, undefined)
    return () => {
      if (this.exists()) return false
      writeStored(this.#key, discarded)
      return true
    }
  }

  /**
   * The idempotency key of a body. It survives a reload, and is the same in every tab that shows this value, to store a
   * repeated request once.
   */
  keyFor = (body: string): string => {
    const known = readStored(this.#key)
    if (known?.sent?.body === body) return known.sent.key
    const key = this.#current?.id ?? randomId()
    writeStored(this.#key, { id: key, ...known, sent: { body, key } })
    return key
  }

  /** Calls `listener` when the draft is sent or discarded in another tab. Returns the function that unsubscribes. */
  onRemoved(listener: () => void) {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === this.#key && newValue === null) listener()
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }
}

/** A draft of a form, its value when the form was opened, and whether this device stores its current value. */
export const useDraft = <Value,>(open: () => Draft<Value>, { onRemoved }: { onRemoved?: () => void } = {}) => {
  const [draft] = useState(open)
  const [before] = useState(() => draft.read())
  const isStored = useSyncExternalStore(onDraftsChange, draft.isStored)
  const removed = useEffectEvent(() => onRemoved?.())
  useEffect(() => draft.onRemoved(() => removed()), [draft])
  return { draft, before, isStored }
}

/** Whether this device stores a draft. */
export const useHasDraft = (draft: Draft<unknown> | undefined): boolean =>
  useSyncExternalStore(onDraftsChange, () => draft?.exists() ?? false)

/**
 * Discards a draft and closes its form, with a toast (`title`) whose Undo restores the draft and opens the form again;
 * `begun` is shown instead if another draft was begun since.
 */
export const discardDraft = (
  draft: Pick<Draft<unknown>, 'discard'>,
  { title, begun, onClose, onOpen }: { title: string; begun: string; onClose: () => void; onOpen: () => void },
) => {
  const putBack = draft.discard()
  onClose()
  const run = () => {
    if (putBack()) onOpen()
    else toast({ title: begun, variant: 'destructive' })
  }
  toast({ title, action: { label: 'Undo', run } })
}

/** Shows that a form holds text typed before the page was loaded, which is not `done` yet. */
export const DraftNote = ({ isShown, done = 'saved' }: { isShown: boolean; done?: 'saved' | 'sent' | 'added' }) => (
  <p role="status" css={{ color: colour.soft, fontSize: type.small, ':empty': { display: 'none' } }}>
    {isShown && `You typed this before. It is not ${done} yet.`}
  </p>
)

/** The keys of all drafts of staff on this device; none if the browser allows no storage. */
const draftKeys = (): string[] => {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
  } catch {
    return []
  }
}

const removeDrafts = (isRemoved: (key: string) => boolean) => {
  for (const key of draftKeys()) if (isRemoved(key)) localStorage.removeItem(key)
  listeners.notify()
}

/** Drafts that are of use for another lead of the same person as well. */
const MOVED = ['note', 'email'].map((kind) => draftKey(`-${kind}`))

/** Moves the drafts about a lead to the one into which it was merged, unless that has its own. */
export const moveDrafts = (fromLeadId: string, toLeadId: string) => {
  const from = `/lead-${fromLeadId}-`
  for (const key of draftKeys()) {
    if (!key.includes(from) || !MOVED.some((end) => key.endsWith(end))) continue
    const moved = localStorage.getItem(key) ?? ''
    const to = key.replace(from, `/lead-${toLeadId}-`)
    // first, to make room in a full storage
    localStorage.removeItem(key)
    if (localStorage.getItem(to) === null) localStorage.setItem(to, moved)
  }
  removeDraftsAbout(`lead-${fromLeadId}`)
}

const isRecent = (key: string) => Date.parse(readStored(key)?.savedAt ?? '') > Date.now() - STORED_MS

/** Deletes the drafts about a record: they were discarded, or its person was erased. */
export const removeDraftsAbout = (record: string) => removeDrafts((key) => key.includes(`/${record}-`))

/** Deletes the drafts that are too old, of every account. */
export const removeOldDrafts = () => removeDrafts((key) => !isRecent(key))

/**
 * Deletes all drafts of staff on this device except the recent ones of the account `exceptFor`: another person may sign
 * in next.
 */
export const removeOtherDrafts = (exceptFor?: string) =>
  removeDrafts((key) => exceptFor === undefined || !key.startsWith(accountKey(exceptFor)) || !isRecent(key))

export const draftRecords = (accountId: string): string[] => {
  const before = accountKey(accountId)
  const after = draftKey('')
  return draftKeys()
    .filter((key) => key.startsWith(before) && key.endsWith(after) && readStored(key)?.value !== undefined)
    .map((key) => key.slice(before.length, -after.length))
}
