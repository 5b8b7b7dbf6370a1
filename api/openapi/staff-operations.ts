import { answerTemplatesForm } from '../../events/answer-templates.ts'
import { tokenForm } from '../../events/api-token.ts'
import { cannedRepliesForm } from '../../events/canned-reply.ts'
import { chatGreetingsForm } from '../../events/chat-greetings.ts'
import { companyForm } from '../../events/company.ts'
import { offerForm } from '../../events/offer.ts'
import { packageTextsForm } from '../../events/package-texts.ts'
import { endedPush, pushSubscription } from '../../events/process/push.ts'
import { quoteChoicesForm } from '../../events/quote-choices.ts'
import { savedViewForm, savedViewName } from '../../events/saved-view.ts'
import { inboxAddressesForm } from '../../events/settings.ts'
import { showcaseForm } from '../../events/showcase.ts'
import {
  accountChange,
  accountForm,
  alertForm,
  confirmation,
  leavingOwner,
  passwordChange,
  profileForm,
  signInRulesForm,
  twoFactorForm,
} from '../../events/staff.ts'
import { supportHoursForm } from '../../events/support-hours-form.ts'
import { webhookChange, webhookForm } from '../../events/webhook-form.ts'
import { weekStartForm } from '../../events/week-start.ts'
import { accountHistory } from '../../events/wire/account-history.ts'
import { apiTokens, madeToken } from '../../events/wire/api-token.ts'
import { emailSummary, listedEmails, outbox } from '../../events/wire/email.ts'
import { overview } from '../../events/wire/overview.ts'
import { palette } from '../../events/wire/palette.ts'
import { pipeline } from '../../events/wire/pipeline.ts'
import { settings } from '../../events/wire/settings.ts'
import {
  account,
  accounts,
  alertSettings,
  colleagues,
  me,
  passwordLink,
  pushKey,
  recoveryCodes,
  savedViews,
  sessions,
  signInRules,
  twoFactor,
  twoFactorSecret,
} from '../../events/wire/staff.ts'
import { stalledConsumers } from '../../events/wire/stalled-consumers.ts'
import { today } from '../../events/wire/today.ts'
import { madeWebhook, rotatedSecret, testedWebhook, webhookDeliveries, webhooks } from '../../events/wire/webhook.ts'
import { emailQuery, resendForm } from '../email/emails.ts'
import { overviewQuery } from '../overview.ts'
import { paletteQuery } from '../palette.ts'
import { pipelineQuery } from '../pipeline.ts'
import { historyQuery } from '../staff/history.ts'
import { colleaguesQuery } from '../staff/staff.ts'
import { deliveryQuery } from '../webhooks.ts'
import type { Operation, Operations } from './operation.ts'

/** Staff's own account. */
const OWN: Operations = {
  'POST /api/logout': { summary: 'Signs out', status: 204 },
  'GET /api/me': { summary: 'Who is signed in', answer: me },
  'POST /api/me/confirm': {
    summary: 'Confirms with the password that it is still oneself',
    body: confirmation,
    status: 204,
  },
  'POST /api/me/password': { summary: 'Changes one’s own password', body: passwordChange, status: 204 },
  'GET /api/me/sessions': { summary: 'Where one is signed in', answer: sessions },
  'DELETE /api/me/sessions/:id': { summary: 'Ends one of one’s sessions', status: 204 },
  'GET /api/me/two-factor': { summary: 'Whether one’s second factor is on', answer: twoFactor },
  'POST /api/me/two-factor': { summary: 'Turns one’s second factor on', body: twoFactorForm, answer: recoveryCodes },
  'POST /api/me/two-factor/secret': { summary: 'Makes a secret for an authenticator app', answer: twoFactorSecret },
  'POST /api/me/two-factor/codes': { summary: 'Makes new recovery codes', answer: recoveryCodes },
  'POST /api/me/two-factor/off': {
    summary: 'Turns one’s second factor off',
    status: 204,
    mayConflict: true,
  },
  'GET /api/me/views': { summary: 'One’s own views of leads', answer: savedViews },
  'POST /api/me/views': {
    summary: 'Saves a view',
    body: savedViewForm,
    answer: savedViews,
    status: 201,
    mayConflict: true,
  },
  'PATCH /api/me/views/:id': { summary: 'Renames a view', body: savedViewName, answer: savedViews, mayConflict: true },
  'DELETE /api/me/views/:id': { summary: 'Removes a view', answer: savedViews },
  'POST /api/me/profile': { summary: 'Changes one’s own name and photo', body: profileForm, answer: me },
  'GET /api/me/alerts': { summary: 'Which emails about leads one gets', answer: alertSettings },
  'POST /api/me/alerts': { summary: 'Chooses which emails about leads one gets', body: alertForm, status: 204 },
  'GET /api/me/push': { summary: 'The key that browsers subscribe to notifications with', answer: pushKey },
  'POST /api/me/push': { summary: 'Has this device told of leads', body: pushSubscription, status: 204 },
  'DELETE /api/me/push': { summary: 'Has this device told no more', body: endedPush, status: 204 },
}

/** What staff look at beside leads and chats. */
const WORK: Operations = {
  'GET /api/staff/:id/photo': {
    summary: 'The photo of somebody who works for the agency',
    answer: { mediaType: 'image/*' },
  },
  'GET /api/staff': { summary: 'Who works for the agency', query: colleaguesQuery, answer: colleagues },
  'GET /api/palette': { summary: 'Finds leads and chats by a few letters', query: paletteQuery, answer: palette },
  'GET /api/pipeline': { summary: 'Leads by stage, with values', query: pipelineQuery, answer: pipeline },
  'GET /api/overview': { summary: 'The figures of some days', query: overviewQuery, answer: overview },
  'GET /api/today': { summary: 'What there is to do now', answer: today },
  'GET /api/standstill': { summary: 'What is behind in the log', answer: stalledConsumers },
  'GET /api/emails': { summary: 'Lists emails', query: emailQuery, answer: listedEmails, isPaged: true },
  'GET /api/emails/summary': { summary: 'Counts emails', answer: emailSummary },
  'POST /api/emails/:id/resend': { summary: 'Sends an email again', body: resendForm, status: 202 },
  'GET /api/outbox': { summary: 'Emails that were kept, as no service is set', answer: outbox },
  'GET /api/webhook-deliveries': {
    summary: 'Lists what went to webhooks',
    query: deliveryQuery,
    answer: webhookDeliveries,
    isPaged: true,
  },
  'POST /api/webhook-deliveries/:id/resend': { summary: 'Sends a message to a webhook again', status: 202 },
}

/** What owners keep beside the settings. */
const KEPT: Operations = {
  'GET /api/accounts': { summary: 'Lists accounts', answer: accounts },
  'POST /api/accounts': { summary: 'Adds an account', body: accountForm, answer: account, status: 201 },
  'PATCH /api/accounts/:id': { summary: 'Changes an account', body: accountChange, answer: account, mayConflict: true },
  'DELETE /api/accounts/:id': { summary: 'Removes an account', query: leavingOwner, status: 204, mayConflict: true },
  'GET /api/accounts/history': {
    summary: 'What has happened with accounts, tokens and webhooks',
    query: historyQuery,
    answer: accountHistory,
    isPaged: true,
  },
  'POST /api/accounts/:id/password-link': {
    summary: 'Makes a link to choose a new password',
    answer: passwordLink,
    status: 201,
  },
  'DELETE /api/accounts/:id/two-factor': { summary: 'Turns the second factor of an account off', status: 204 },
  'GET /api/accounts/sign-in-rules': { summary: 'What is required of everybody', answer: signInRules },
  'PUT /api/accounts/sign-in-rules': {
    summary: 'Says what is required of everybody',
    body: signInRulesForm,
    answer: signInRules,
    mayConflict: true,
  },
  'GET /api/tokens': { summary: 'Lists API tokens', answer: apiTokens },
  'POST /api/tokens': {
    summary: 'Makes an API token',
    body: tokenForm,
    answer: madeToken,
    status: 201,
    mayConflict: true,
  },
  'DELETE /api/tokens/:id': { summary: 'Revokes an API token', status: 204 },
  'GET /api/webhooks': { summary: 'Lists webhooks', answer: webhooks },
  'POST /api/webhooks': {
    summary: 'Adds a webhook',
    body: webhookForm,
    answer: madeWebhook,
    status: 201,
    mayConflict: true,
  },
  'PATCH /api/webhooks/:id': { summary: 'Changes, pauses or resumes a webhook', body: webhookChange, status: 204 },
  'DELETE /api/webhooks/:id': { summary: 'Removes a webhook', status: 204 },
  'POST /api/webhooks/:id/secret': { summary: 'Makes a new secret for a webhook', answer: rotatedSecret },
  'POST /api/webhooks/:id/test': { summary: 'Sends a test to a webhook', answer: testedWebhook, status: 202 },
}

const setting = (summary: string, body: NonNullable<Operation['body']>): Operation => ({
  summary,
  body,
  answer: settings,
  mayConflict: true,
  headers: { 'If-Match': 'The version of the settings that the change was made on, such as "3"; 428 without it.' },
})

const SETTINGS: Operations = {
  'GET /api/settings': { summary: 'All settings', answer: settings },
  'PUT /api/settings/support-hours': setting('Sets the support hours', supportHoursForm),
  'PUT /api/settings/canned-replies': setting('Sets the canned replies', cannedRepliesForm),
  'PUT /api/settings/inbox-addresses': setting('Sets who gets signed contracts', inboxAddressesForm),
  'PUT /api/settings/offer': setting('Sets the offer', offerForm),
  'PUT /api/settings/showcase': setting('Sets what the website shows of the agency', showcaseForm),
  'PUT /api/settings/package-texts': setting('Sets the texts of packages', packageTextsForm),
  'PUT /api/settings/answer-templates': setting('Sets the templates of answers', answerTemplatesForm),
  'PUT /api/settings/quote-choices': setting('Sets the choices of the quote form', quoteChoicesForm),
  'PUT /api/settings/chat-greetings': setting('Sets the messages beside the chat button', chatGreetingsForm),
  'PUT /api/settings/company': setting('Sets who the agency is in law, and what it guarantees', companyForm),
  'PUT /api/settings/week-start': setting('Sets the day on which weeks begin', weekStartForm),
}

/** What staff call on their screens beside leads and chats. */
export const STAFF_OPERATIONS: Operations = { ...OWN, ...WORK, ...KEPT, ...SETTINGS }
