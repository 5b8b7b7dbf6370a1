import { foundPeople, heldPerson, SUBJECT_KINDS, type Subject } from '../../../events/privacy/wire.ts'
import { useGet } from '../../staff/use-get.ts'

const KEY = '/api/privacy/people'

/** The key of a person's data. */
export const personKey = ({ kind, id }: Subject) => `${KEY}/${encodeURIComponent(id)}?kind=${kind}`

/** The people who match an email address, a telephone number, a name or a reference; nothing is fetched without one. */
export const useFoundPeople = (q: string) =>
  useGet(q === '' ? undefined : `${KEY}?q=${encodeURIComponent(q)}`, foundPeople, { revalidateIfStale: true })

/** Everything that is held about a person. */
export const useHeldPerson = (subject: Subject) => useGet(personKey(subject), heldPerson, { revalidateIfStale: true })

/** The person that an address names. */
export const subjectIn = (query: URLSearchParams): Subject | undefined => {
  const kind = SUBJECT_KINDS.find((each) => query.get(each))
  return kind && { kind, id: query.get(kind) ?? '' }
}

/** The address of a person's data. */
export const personAddress = ({ kind, id }: { kind: string; id: string }) =>
  `/admin-privacy?${kind}=${encodeURIComponent(id)}`
