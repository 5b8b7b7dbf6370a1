import * as v from 'valibot'
import { chatGreeting } from '../../events/chat-greetings.ts'
import { leadForm } from '../../events/lead-form.ts'
import { offer } from '../../events/offer.ts'
import { forgottenPassword, openedPasswordLink, passwordByLink, signIn } from '../../events/staff.ts'
import { websiteInfoForm } from '../../events/website-info.ts'
import { chatFile } from '../../events/wire/chat.ts'
import { lead, submittedWebsiteInfo } from '../../events/wire/lead.ts'
import { forgottenAnswer, passwordLinkState } from '../../events/wire/staff.ts'
import { publicHours } from '../../events/wire/support-hours.ts'
import type { Operations } from './operation.ts'

const siteContent = v.object({
  offer: v.nullable(offer),
  showcase: v.looseObject({}),
  packageTexts: v.looseObject({}),
  quoteLabels: v.looseObject({}),
  chatGreetings: v.array(chatGreeting),
  company: v.looseObject({}),
})

const IDEMPOTENCY = { 'Idempotency-Key': 'The same key stores one submission, and answers it again.' }
const TEXT = { mediaType: 'text/plain' }

/** What anybody may call: the website's forms, sign-in, and what tells that the node is well. */
export const VISITOR_OPERATIONS: Operations = {
  'GET /healthz': { summary: 'Tells that the process lives', answer: v.object({ status: v.string() }) },
  'GET /readyz': {
    summary: 'Tells whether the node takes traffic',
    answer: v.looseObject({ failing: v.array(v.string()) }),
  },
  'GET /metrics': { summary: 'Metrics for Prometheus', answer: TEXT },
  'GET /api/openapi.json': { summary: 'This document', answer: v.looseObject({}) },
  'POST /api/leads': {
    summary: 'Submits a lead, as the website’s forms do',
    body: leadForm,
    answer: lead,
    status: 201,
    headers: IDEMPOTENCY,
  },
  'POST /api/submit-website-info': {
    summary: 'Submits the questionnaire about a website',
    body: websiteInfoForm,
    answer: submittedWebsiteInfo,
    status: 201,
    headers: IDEMPOTENCY,
  },
  'POST /api/email-activation': {
    summary: 'Has the email service confirm the agency’s address by a test submission',
    status: 202,
  },
  'GET /api/support-hours': { summary: 'Tells when somebody answers', answer: publicHours },
  'GET /api/site-content': { summary: 'What owners have set of the public pages', answer: siteContent },
  'POST /api/login': { summary: 'Signs staff in: the answer sets the cookie', body: signIn, status: 204 },
  'POST /api/login/forgotten': {
    summary: 'Asks for a link by email to choose a new password',
    body: forgottenPassword,
    answer: forgottenAnswer,
    status: 202,
  },
  'POST /api/login/password-link': {
    summary: 'Tells whether a new password can still be chosen by such a link',
    body: openedPasswordLink,
    answer: passwordLinkState,
  },
  'POST /api/login/password': { summary: 'Chooses a new password by such a link', body: passwordByLink, status: 204 },
  'POST /api/chat-files/:id': {
    summary: 'Stores a file of a chat, which a message then names',
    body: { mediaType: 'application/octet-stream' },
    answer: chatFile,
    status: 201,
    mayConflict: true,
    headers: { 'X-File-Name': 'The file’s name, percent-encoded.' },
  },
  'GET /api/chat-files/:id/:file': {
    summary: 'A file of a chat',
    answer: { mediaType: 'application/octet-stream' },
  },
}
