import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import { phoneLinks } from '../base/phone.ts'
import type { Sent } from '../base/word.ts'
import { agreedTerms, evidence } from '../contract/evidence.ts'
import { type EmailEvent, emailEvents } from '../email/email.ts'
import { leadCorrected } from './correction.ts'
import { leadEntered } from './entry.ts'
import { leadFlagged } from './flag.ts'
import { answeredEvents, followedUp, type StatusEvent } from './follow-up/answered.ts'
import { followUpEvents, leadFollowUpChanged } from './follow-up/follow-up.ts'
import { leadPerson, leadRequest, type SubmittedLeadForm } from './form/form.ts'
import { isContract, kindOfLead, type LeadKind, leadKind } from './form/kind.ts'
import { suspicion } from './form/spam-signals.ts'
import { NO_SUBMISSION_CONTEXT, type SubmissionContext } from './form/submission-context.ts'
import { type RecordedTouches, recordedTouches, recordTouches } from './form/touch.ts'
import { websiteInfoLead, websiteInfoSubmitted } from './form/website-info.ts'
import { websiteAnswers } from './form/website-questions.ts'
import type { lead } from './wire.ts'

/** The form type that staff see in brackets, and can search for (specification, 3: derived dashboard submission). */
export const LEAD_FORM_TYPE = 'Lead Form'

/** Version 1 stored the form's fields, free text too, in `data`. */
const leadSubmittedV1 = {
  schemaVersion: 1,
  data: v.object({ ...leadRequest.entries, suspicion }),
  personal: v.object({ ...leadPerson.entries, ...recordedTouches.entries }),
}

/** A visitor sent a form. A contract's event holds the terms that it was signed under, and the evidence of the signature. */
export const leadSubmitted = defineEvent({
  type: 'LeadSubmitted',
  schemaVersion: 2,
  data: v.object({ ...leadKind.entries, suspicion, terms: v.exactOptional(agreedTerms) }),
  personal: v.object({
    ...leadPerson.entries,
    ...leadRequest.entries,
    ...recordedTouches.entries,
    evidence: v.exactOptional(evidence),
  }),
  earlier: [
    {
      ...leadSubmittedV1,
      upcast: ({ data, personal }) => {
        const { suspicion: reasons, ...rest } = data as v.InferOutput<typeof leadSubmittedV1.data>
        return {
          data: { ...kindOfLead(rest), ...(reasons && { suspicion: reasons }) },
          personal: personal && { ...personal, ...rest },
        }
      },
    },
  ],
})

/**
 * Staff released a flagged lead as genuine. `emailId` is the submission that is now sent by email, or null. `undoes`
 * is the event by which staff flagged it themselves: then nothing is sent.
 */
export const leadReleased = defineEvent({
  type: 'LeadReleased',
  schemaVersion: 1,
  data: v.object({
    by: v.pipe(v.string(), v.uuid()),
    emailId: v.nullable(v.pipe(v.string(), v.uuid())),
    undoes: v.exactOptional(v.pipe(v.string(), v.uuid())),
  }),
  personal: null,
})

/**
 * An owner had the person of a lead erased, or the period of storage was over (`by` is null): their data key is
 * destroyed, and the data it encrypted stays unreadable.
 */
export const leadErased = defineEvent({
  type: 'LeadErased',
  schemaVersion: 1,
  data: v.object({ by: v.nullable(v.pipe(v.string(), v.uuid())) }),
  personal: null,
})

/** The import that added a lead was undone: it is no longer a lead. Its personal data is erased with it. */
export const leadWithdrawn = defineEvent({
  type: 'LeadWithdrawn',
  schemaVersion: 1,
  data: v.object({ by: v.pipe(v.string(), v.uuid()), importId: v.pipe(v.string(), v.uuid()) }),
  personal: null,
})

/** A lead as this version sends it. */
export type Lead = Sent<typeof lead>

/** The state of the email about a lead; null if none is sent. */
export type EmailStatus = Lead['emailStatus']

/** The events that say something about a lead. */
export const leadEvents = [
  leadSubmitted,
  leadEntered,
  ...followUpEvents,
  ...answeredEvents,
  leadCorrected,
  leadFlagged,
  leadErased,
  leadWithdrawn,
  leadReleased,
  websiteInfoSubmitted,
  ...emailEvents,
] as const

export type LeadEvent = RecordedEvent<(typeof leadEvents)[number]>

/** One stream per lead. */
export const leadStreams = defineStreams<LeadEvent>('lead-')

/** The lead of a stream, or undefined for any other stream. */
export const leadIdOf = leadStreams.idOf

/** Whether an event belongs to the stream of a lead. */
export const isLeadEvent = <E extends { stream: string }>(event: E): event is E & LeadEvent =>
  leadIdOf(event.stream) !== undefined

/** Whether the person of a lead has been erased, by all events of its stream. */
export const holdsErasure = (events: { type: string }[]) => events.some(({ type }) => type === 'LeadErased')

/** Whether a lead goes to the agency's inbox by email: contracts do, once they are no longer flagged. */
export const isSentToAgency = ({ data }: RecordedEvent<typeof leadSubmitted>) => data.isContract && !data.suspicion

/** The event of a visitor's form. */
export const submitLead = (
  { leadId, form }: { leadId: string; form: SubmittedLeadForm },
  { touches, spamSignals, signing }: SubmissionContext = NO_SUBMISSION_CONTEXT,
) =>
  leadSubmitted(
    {
      ...kindOfLead(form),
      ...(spamSignals.length > 0 && { suspicion: spamSignals }),
      ...(signing && { terms: signing.terms }),
    },
    {
      subjectId: leadId,
      personal: { ...form, ...recordTouches(touches), ...(signing && { evidence: signing.evidence }) },
    },
  )

type Released = ReturnType<typeof leadReleased> | ReturnType<typeof leadFollowUpChanged>

/**
 * The events that release a flagged lead, or undefined if it is not flagged. `submissionId` began its stream. A lead
 * that counted as lost because it was taken for spam waits for a reply from then on.
 */
export const releaseLead = (request: {
  lead: Lead
  submissionId: string
  staffId: string
}): [Released, ...Released[]] | undefined => {
  const { lead, submissionId, staffId } = request
  if (!lead.suspicion) return undefined
  const released = leadReleased({ by: staffId, emailId: isContract(lead.leadSource) ? submissionId : null })
  if (lead.followUpStatus !== 'lost') return [released]
  return [released, leadFollowUpChanged({ followUpStatus: 'new', by: staffId })]
}

/** The rest of a form after its person has been erased. */
const erasedForm = (kind: LeadKind): SubmittedLeadForm => ({
  name: 'Erased',
  email: '',
  phone: '',
  company: null,
  businessName: null,
  industry: null,
  package: kind.package === 'none' ? null : kind.package,
  message: null,
  timeline: null,
  leadSource: kind.source,
  pageUrl: null,
  agreedToTerms: null,
})

type Submission = RecordedEvent<typeof leadSubmitted> | RecordedEvent<typeof websiteInfoSubmitted>

const touchesOf = ({ personal }: Pick<Submission, 'personal'>) => {
  const touches: RecordedTouches = personal ?? {}
  return { firstTouch: touches.firstTouch ?? null, lastTouch: touches.lastTouch ?? null }
}

const formOf = ({ data, personal }: RecordedEvent<typeof leadSubmitted>): SubmittedLeadForm => {
  if (!personal) return erasedForm(data)
  const { firstTouch: _, lastTouch: __, evidence: ___, ...form } = personal
  return form
}

const started = (
  event: Pick<Submission, 'id' | 'stream' | 'version' | 'recordedAt' | 'personal'> & {
    data: Pick<Submission['data'], 'suspicion'>
  },
  form: SubmittedLeadForm,
  emailStatus: EmailStatus,
): Lead => ({
  id: leadIdOf(event.stream) ?? event.id,
  ...form,
  phoneLinks: null,
  ...touchesOf(event),
  ...(event.data.suspicion && { suspicion: event.data.suspicion }),
  timestamp: event.recordedAt.toISOString(),
  followUpStatus: 'new',
  conversionDate: null,
  projectValue: null,
  ownerId: null,
  nextActionDate: null,
  answeredAt: null,
  answeredBy: null,
  givenAnswers: [],
  emailStatus,
  version: event.version,
})

const entered = (event: RecordedEvent<typeof leadEntered>): Lead => {
  const { recordedAt, data, personal } = event
  const isAnswered = data.followUpStatus !== 'new'
  return {
    ...started({ ...event, data: {}, personal: null }, personal ?? erasedForm(data), null),
    timestamp: data.receivedAt ?? recordedAt.toISOString(),
    followUpStatus: data.followUpStatus,
    answeredAt: isAnswered ? recordedAt.toISOString() : null,
  }
}

const fromQuestionnaire = (event: RecordedEvent<typeof websiteInfoSubmitted>): Lead => ({
  ...started(event, websiteInfoLead(event), null),
  ...(event.personal && { answers: websiteAnswers(event.personal) }),
})

const erased = ({ answers: _, ...lead }: Lead): Lead => ({
  ...lead,
  ...erasedForm(kindOfLead(lead)),
  followUpStatus: 'erased',
  firstTouch: null,
  lastTouch: null,
})

/** The state of an email after its outcome. */
export const emailStatusAfter = (event: EmailEvent): NonNullable<EmailStatus> => {
  if (event.type === 'EmailResendRequested') return 'pending'
  if (event.type === 'EmailSent') return event.data.to === 'outbox' ? 'outbox' : 'delivered'
  return event.data.willRetry ? 'retrying' : event.data.reason
}

/** A lead shows that a reply failed as long as it waits for another one. */
const afterFollowUp = ({ emailFailedAt: before, ...lead }: Lead, event: StatusEvent): Lead => {
  const { followUpStatus } = lead
  if (followUpStatus === 'erased') return lead
  const changed = { ...lead, ...followedUp({ ...lead, followUpStatus }, event) }
  const hasFailed = event.type === 'LeadAnswerFailed' && followUpStatus !== 'new'
  const emailFailedAt = hasFailed ? event.recordedAt.toISOString() : before
  return emailFailedAt && changed.followUpStatus === 'new' ? { ...changed, emailFailedAt } : changed
}

const evolved = (lead: Lead | undefined, event: LeadEvent): Lead | undefined => {
  switch (event.type) {
    case 'LeadSubmitted':
      return started(event, formOf(event), isSentToAgency(event) ? 'pending' : null)
    case 'LeadEntered':
      return entered(event)
    case 'WebsiteInfoSubmitted':
      return fromQuestionnaire(event)
    case 'LeadFlagged':
      return lead && { ...lead, suspicion: ['staff'], flaggedBy: event.data.by }
    case 'LeadReleased': {
      if (!lead) return undefined
      const { suspicion: _, flaggedBy: __, ...released } = lead
      return event.data.emailId ? { ...released, emailStatus: 'pending' } : released
    }
    case 'LeadFollowUpChanged':
    case 'LeadAnswered':
    case 'LeadAnswerWithdrawn':
    case 'LeadAnswerFailed':
    case 'LeadAnswerRestored':
    case 'LeadNoteAdded':
    case 'LeadNoteRemoved':
      return lead && afterFollowUp(lead, event)
    case 'LeadCorrected':
      return lead && { ...lead, ...event.personal }
    case 'LeadWithdrawn':
      return undefined
    case 'LeadErased':
      return lead && erased(lead)
    case 'EmailSent':
    case 'EmailFailed':
    case 'EmailResendRequested':
      return lead && { ...lead, emailStatus: emailStatusAfter(event) }
    default:
      event satisfies never
      return lead
  }
}

/** The lead after an event of its stream, oldest first. Undefined until it is submitted, and after it was withdrawn. */
export const evolveLead = (lead: Lead | undefined, event: LeadEvent): Lead | undefined => {
  const next = evolved(lead, event)
  if (!next) return undefined
  const links = next.phone === lead?.phone ? lead.phoneLinks : phoneLinks(next.phone)
  return { ...next, phoneLinks: links, version: event.version }
}
