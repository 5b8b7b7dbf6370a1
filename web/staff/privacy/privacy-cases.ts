import { mutate } from 'swr'
import type { CaseKind } from '../../../events/privacy/case.ts'
import { privacyCases } from '../../../events/privacy/wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { useMe } from '../account/account.ts'
import { useGet } from '../requests/use-get.ts'

const KEY = '/api/privacy/cases'

export const CASE_NAMES: Record<CaseKind, string> = {
  access: 'A copy of their data',
  correction: 'Correction',
  erasure: 'Erasure',
  objection: 'An end of its use',
}

/** The requests of people about their data, for owners; nothing is fetched for others. */
export const usePrivacyCases = () => {
  const { data: me } = useMe()
  return useGet(me?.role === 'owner' ? KEY : undefined, privacyCases, { revalidateIfStale: true })
}

const change = async (path: string, body: object) => {
  const cases = await send('POST', path, body).then(read(privacyCases))
  await mutate(KEY, cases, { revalidate: false })
}

export const openCase = (filled: object) => change(KEY, filled)

export const finishCase = (id: string) => change(`${KEY}/${encodeURIComponent(id)}/done`, {})
