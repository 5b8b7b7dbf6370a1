import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { CASE_KINDS } from './case.ts'

/** Where the data of a person begins: a lead, a chat, or an account of staff. */
export const SUBJECT_KINDS = ['lead', 'chat', 'account'] as const

export type SubjectKind = (typeof SUBJECT_KINDS)[number]

/** Names a person by one lead, chat or account of theirs. */
export type Subject = { kind: SubjectKind; id: string }

/** The groups in which a person's data is shown. */
export const HELD_GROUPS = [
  'leads',
  'contracts',
  'chats',
  'files',
  'emails',
  'notes',
  'imports',
  'consents',
  'requests',
  'sign_ins',
] as const

export type HeldGroup = (typeof HELD_GROUPS)[number]

/** The kinds of data that retention erases, each by a period of its own. */
export const DUE_KINDS = ['leads', 'chats', 'spam', 'contracts'] as const

export type DueKind = (typeof DUE_KINDS)[number]

/** An export waits for a worker, which makes it; it is ready, or could not be made. */
export const EXPORT_STATES = ['waiting', 'ready', 'failed'] as const

const instant = v.pipe(v.string(), v.isoTimestamp())

/** The response of `GET /api/privacy/people`: the people who match, each once. `count` is how many leads match. */
export const foundPeople = v.array(
  v.object({
    kind: oneOf(SUBJECT_KINDS),
    id: v.string(),
    name: v.string(),
    email: v.nullable(v.string()),
    phone: v.nullable(v.string()),
    timestamp: instant,
    count: v.number(),
  }),
)

export type FoundPerson = Received<typeof foundPeople>[number]

const entry = v.object({
  id: v.string(),
  timestamp: instant,
  title: v.string(),
  source: v.string(),
  lines: v.array(v.object({ label: v.string(), text: v.string() })),
  leadId: v.nullable(v.string()),
  sessionId: v.nullable(v.string()),
})

/**
 * The response of `GET /api/privacy/people/:id`: everything held about a person, by group, newest first. `count` is how
 * many entries a group has; the first of them are listed. `others` are leads with the same number and another address,
 * which may be another person's. `isErased`: nothing about the person is left.
 */
export const heldPerson = v.object({
  name: v.string(),
  email: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  leads: v.number(),
  chats: v.number(),
  isErased: v.boolean(),
  groups: v.array(
    v.object({
      group: oneOf(HELD_GROUPS),
      title: v.string(),
      reason: v.string(),
      count: v.number(),
      entries: v.array(entry),
    }),
  ),
  others: v.array(v.object({ id: v.string(), name: v.string(), timestamp: instant })),
})

export type HeldPerson = Received<typeof heldPerson>
export type HeldGroupOfPerson = HeldPerson['groups'][number]

/**
 * The response of `GET /api/privacy/people/:id/exports`: the exports of a person that are stored, newest first.
 * `progress` is from 0 to 1, `size` in bytes; `by` is the owner who asked for it.
 */
export const personExports = v.array(
  v.object({
    id: v.string(),
    state: oneOf(EXPORT_STATES),
    progress: v.number(),
    size: v.number(),
    hasNotes: v.boolean(),
    requestedAt: instant,
    deletedAt: instant,
    by: v.nullable(v.string()),
  }),
)

export type PersonExport = Received<typeof personExports>[number]

/** The response of `POST /api/privacy/exports/:id/download`: the address of the file, for ten minutes. */
export const exportDownload = v.object({ address: v.string() })

/**
 * The response of `GET /api/privacy/retention`: the data that is erased by `until`, by kind, unless there is a new
 * contact. The first of each kind are listed, each by its first lead or chat; `isMore`: there are more than `count`.
 */
export const dueData = v.object({
  until: instant,
  kinds: v.array(
    v.object({
      kind: oneOf(DUE_KINDS),
      count: v.number(),
      isMore: v.boolean(),
      listed: v.array(v.object({ id: v.string(), name: v.string(), timestamp: instant })),
    }),
  ),
})

export type DueData = Received<typeof dueData>

/** The response of the calls on `/api/privacy/cases`: the requests of people, newest first. Days are yyyy-mm-dd. */
export const privacyCases = v.array(
  v.object({
    id: v.string(),
    kind: oneOf(CASE_KINDS),
    from: v.nullable(v.string()),
    note: v.nullable(v.string()),
    subjectId: v.nullable(v.string()),
    receivedOn: v.string(),
    dueOn: v.string(),
    doneBy: v.nullable(v.string()),
    doneAt: v.nullable(instant),
  }),
)

export type PrivacyCase = Received<typeof privacyCases>[number]
