import { addDays, agencyDay } from '../../events/base/agency-day.ts'
import {
  CARE_DAYS,
  contractAccepted,
  contractContentReceived,
  contractDeclined,
  contractNoticeGiven,
  contractStepUndone,
  contractWentLive,
  type Life,
  lastDayAfterNotice,
  liveOn,
  type StepRequest,
  stepRefusal,
  stepRequest,
} from '../../events/contract/life.ts'
import { contractStreams } from '../../events/contract/signed-copy.ts'
import { readLife } from '../../events/contract/store/life.ts'
import { signedContract } from '../../events/contract/wire.ts'
import { readOwnLead } from '../../events/lead/store/own-lead.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { readEvent, readVersions } from '../../events/log/read.ts'
import { invalidField, RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { SEEN, seenVersion } from '../http/seen-version.ts'
import type { ApiNode } from '../node/node.ts'
import { agreedPriceOf, contractInFull, readContract } from './contract.ts'

type Stepping = {
  leadId: string
  request: StepRequest
  staff: { id: string; displayName: string }
  life: Life
  months: number | null
  noticeDays: number | null
  to: string
}

/** The event of a step that is possible. */
const eventOf = ({ leadId, request, staff, life, months, noticeDays, to }: Stepping) => {
  const by = staff.id
  switch (request.step) {
    case 'accept':
      return contractAccepted(
        { leadId, by, isEmailed: request.isEmailed },
        { subjectId: leadId, personal: { to, countersignedBy: staff.displayName } },
      )
    case 'decline':
      return contractDeclined({ leadId, by }, { subjectId: leadId, personal: { reason: request.reason } })
    case 'content':
      return contractContentReceived({ leadId, by, on: request.on })
    case 'live': {
      const { on, isEmailed } = request
      const endsOn = months === null ? addDays(on, CARE_DAYS) : null
      return contractWentLive({ leadId, by, isEmailed, on, endsOn }, { subjectId: leadId, personal: { to } })
    }
    case 'notice': {
      const { on, isEmailed } = request
      const endsOn = lastDayAfterNotice({ on, liveOn: liveOn(life) ?? on, months: months ?? 0, noticeDays })
      return contractNoticeGiven({ leadId, by, isEmailed, on, endsOn }, { subjectId: leadId, personal: { to } })
    }
    case 'undo':
      return contractStepUndone({ leadId, by, undoes: request.eventId })
    default:
      return request satisfies never
  }
}

/** A lead whose contract can be worked on: neither flagged nor erased. */
const readWorkable = async (node: Pick<ApiNode, 'sql'>, leadId: string) => {
  const known = await readOwnLead(node.sql, leadId)
  if (!known) throw new RequestError('not_found', 'There is no lead with this id')
  if (known.isErased) throw new RequestError('conflict', 'This person has been erased')
  if (known.lead.suspicion) throw new RequestError('conflict', 'This lead is in quarantine: release it first')
  return known
}

const refuse = ({ field, detail }: { field?: 'on'; detail: string }) =>
  field ? invalidField(field, detail) : new RequestError('conflict', detail)

/**
 * Takes a step in the life of a contract, once: a request that is repeated with the same `If-Match` finds its own event.
 * Of two staff members at once one gets 409, with the contract as it is then.
 */
export const takeStep = async (
  node: Pick<ApiNode, 'sql' | 'log'>,
  { leadId, request, seen, staff }: Pick<Stepping, 'leadId' | 'request' | 'staff'> & { seen: number },
  now = new Date(),
): Promise<void> => {
  const id = deterministicUuid('contract step', leadId, String(seen), staff.id, JSON.stringify(request))
  const stream = contractStreams.of(leadId)
  const contract = await readContract(node, leadId)
  const { months, noticeDays } = await agreedPriceOf(node, contract)
  await handle(node.log, {
    read: async () => {
      // first: steps that are stored after it let the append fail, and it is read again
      const version = (await readVersions(node.sql, [stream])).get(stream) ?? 0
      const [{ lead }, life] = await Promise.all([readWorkable(node, leadId), readLife(node.sql, leadId)])
      // after the life: a life that has moved on because of this very request then shows it
      const taken = life.version === seen ? undefined : await readEvent(node.sql, id)
      return { stream, version, life, to: lead.email, isTaken: taken !== undefined }
    },
    decide: async ({ life, to, isTaken }) => {
      if (isTaken) return undefined
      if (life.version !== seen) {
        throw new RequestError('conflict', 'Another person has changed this contract: look at it again', {
          members: { contract: await contractInFull(node, leadId, now) },
        })
      }
      const today = agencyDay(now)
      const refusal = stepRefusal({ life, signedOn: agencyDay(contract.recordedAt), months, today }, request)
      if (refusal) throw refuse(refusal)
      return { id, ...eventOf({ leadId, request, staff, life, months, noticeDays, to }) }
    },
  })
}

/** A staff member accepts or declines a contract, sets it live, records a notice, or undoes the last step. */
export const stepRoute = route('POST', '/api/leads/:id/contract/steps', {
  access: 'staff',
  summary: 'Takes the next step of a contract, or undoes the last one',
  body: stepRequest,
  answer: signedContract,
  mayConflict: true,
  headers: SEEN,
  handler: async ({ node, c, params: { id: leadId }, body: request }) => {
    const seen = seenVersion(c)
    if (seen === undefined) {
      throw new RequestError('precondition_required', 'Send If-Match with the version that you read, such as "3"')
    }
    await takeStep(node, { leadId, request, seen, staff: c.get('staff') })
    const changed = await contractInFull(node, leadId)
    c.header('ETag', `"${changed.version}"`)
    return changed
  },
})
