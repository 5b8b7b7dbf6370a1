import { randomUUID } from 'node:crypto'
import type { Sent } from '../../events/base/word.ts'
import { handle } from '../../events/log/handle.ts'
import { CASES_STREAM, caseForm, privacyCaseDone, privacyCaseOpened } from '../../events/privacy/case.ts'
import { readCases } from '../../events/privacy/store/cases.ts'
import { privacyCases } from '../../events/privacy/wire.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import { staffNames } from '../staff/staff.ts'

const sentCases = async ({ sql }: ApiNode): Promise<Sent<typeof privacyCases>> => {
  const [{ cases }, names] = await Promise.all([readCases(sql), staffNames(sql)])
  return cases
    .toReversed()
    .map(({ doneBy, ...each }) => ({ ...each, doneBy: doneBy === null ? null : (names.get(doneBy) ?? null) }))
}

const listCases = route('GET', '/api/privacy/cases', {
  access: 'owners',
  summary: 'Requests of people about their data, newest first',
  answer: privacyCases,
  handler: ({ node }) => sentCases(node),
})

const openCase = route('POST', '/api/privacy/cases', {
  access: 'owners',
  summary: 'Notes a request of a person about their data, which is due in 30 days',
  body: caseForm,
  answer: privacyCases,
  status: 201,
  handler: async ({ node, c, body: { kind, from, note, receivedOn, subjectId } }) => {
    const caseId = randomUUID()
    await handle(node.log, {
      read: () => ({ stream: CASES_STREAM, version: 'any' as const }),
      decide: () =>
        privacyCaseOpened(
          { caseId, kind, receivedOn, by: c.get('staff').id },
          { subjectId: subjectId ?? caseId, personal: { from, note } },
        ),
    })
    return sentCases(node)
  },
})

const finishCase = route('POST', '/api/privacy/cases/:id/done', {
  access: 'owners',
  summary: 'Notes that a request was carried out',
  answer: privacyCases,
  handler: async ({ node, c, params: { id } }) => {
    await handle(node.log, {
      read: async () => ({ ...(await readCases(node.sql)), stream: CASES_STREAM }),
      decide: ({ cases }) => {
        const found = cases.find((each) => each.id === id)
        if (!found) throw new RequestError('not_found', 'There is nothing with this id')
        return found.doneAt === null ? privacyCaseDone({ caseId: id, by: c.get('staff').id }) : undefined
      },
    })
    return sentCases(node)
  },
})

export const privacyCaseRoutes = [listCases, openCase, finishCase]
