/** The short email that a client gets about a step of their contract. */

import { agencyDayName, startOfDay } from '../base/agency-day.ts'
import { contractReferenceOf } from '../base/reference.ts'
import type { Email } from '../email/email.ts'
import type { StepEvent } from './life.ts'
import { verificationPath } from './signed-copy.ts'

/** A step about which its client may get an email. */
export type EmailedStep = Exclude<StepEvent, { type: 'ContractDeclined' | 'ContractContentReceived' }>

/** Whether an event is a step that its client gets an email about. */
export const isEmailedStep = <Event extends { type: string; data: object }>(
  event: Event,
): event is Event & EmailedStep =>
  ['ContractAccepted', 'ContractWentLive', 'ContractNoticeGiven'].includes(event.type) &&
  'isEmailed' in event.data &&
  event.data.isEmailed === true

const dayInFull = (day: string) => agencyDayName.format(startOfDay(day))

const newsOf = (event: EmailedStep): { subject: string; text: string } => {
  switch (event.type) {
    case 'ContractAccepted':
      return {
        subject: 'We accepted your contract',
        text: `${event.personal?.countersignedBy} has accepted and countersigned your contract.`,
      }
    case 'ContractWentLive':
      return {
        subject: 'Your website is live',
        text: [
          `Your website went live on ${dayInFull(event.data.on)}.`,
          event.data.endsOn === null
            ? 'The monthly fee and the minimum term of your contract run from this day.'
            : `We fix minor bugs for free until ${dayInFull(event.data.endsOn)}.`,
        ].join(' '),
      }
    case 'ContractNoticeGiven':
      return {
        subject: 'We received your notice',
        text: `We received your notice on ${dayInFull(event.data.on)}. Your contract ends on ${dayInFull(event.data.endsOn)}, and the monthly fee is paid until then.`,
      }
    default:
      return event satisfies never
  }
}

/** The email to the client; undefined if they have been erased. */
export const stepEmailOf = (
  event: EmailedStep,
  { name, about, agencyName, publicUrl }: { name: string; about: string; agencyName: string; publicUrl: string },
): Email | undefined => {
  if (!event.personal) return undefined
  const { leadId } = event.data
  const { subject, text } = newsOf(event)
  const parts = [
    `Hello ${name.replace(/\s+/g, ' ')},`,
    text,
    `Check your contract at any time: ${publicUrl}${verificationPath(leadId)}`,
    `Kind regards\n${agencyName}\n${publicUrl}`,
  ]
  return {
    subject: `${subject}, reference ${contractReferenceOf(leadId)}`,
    fields: [['message', parts.join('\n\n')]],
    to: event.personal.to,
    replyTo: null,
    about,
  }
}
