import { mutate } from 'swr'
import {
  exportDownload,
  foundPeople,
  heldPerson,
  personExports,
  SUBJECT_KINDS,
  type Subject,
} from '../../../events/privacy/wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { useGet } from '../../staff/requests/use-get.ts'

const KEY = '/api/privacy/people'

export const personKey = ({ kind, id }: Subject) => `${KEY}/${encodeURIComponent(id)}?kind=${kind}`

/** The people who match an email address, a telephone number, a name or a reference; nothing is fetched without one. */
export const useFoundPeople = (q: string) =>
  useGet(q === '' ? undefined : `${KEY}?q=${encodeURIComponent(q)}`, foundPeople, { revalidateIfStale: true })

export const useHeldPerson = (subject: Subject) => useGet(personKey(subject), heldPerson, { revalidateIfStale: true })

export const subjectIn = (query: URLSearchParams): Subject | undefined => {
  const kind = SUBJECT_KINDS.find((each) => query.get(each))
  return kind && { kind, id: query.get(kind) ?? '' }
}

export const personAddress = ({ kind, id }: { kind: string; id: string }) =>
  `/admin-privacy?${kind}=${encodeURIComponent(id)}`

const exportsKey = (id: string) => `${KEY}/${encodeURIComponent(id)}/exports`

/** The exports of a person that are stored, polled while one is being made. */
export const usePersonExports = (id: string) =>
  useGet(exportsKey(id), personExports, {
    revalidateIfStale: true,
    poll: (known) => (known?.some(({ state }) => state === 'waiting') ? 'progress' : 'lists'),
  })

/** Has workers make an export of a person's data. */
export const requestExport = async (
  { kind, id }: Subject,
  choice: { hasNotes: boolean; reason: string | null },
): Promise<void> => {
  const exports = await send('POST', exportsKey(id), { kind, ...choice }).then(read(personExports))
  await mutate(exportsKey(id), exports, { revalidate: false })
}

/** Downloads an export, once the owner has confirmed that it is them; the log notes it. */
export const downloadExport = async (id: string): Promise<void> => {
  const path = `/api/privacy/exports/${encodeURIComponent(id)}/download`
  const { address } = await send('POST', path, {}).then(read(exportDownload))
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
