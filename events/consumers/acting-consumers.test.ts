import { expect, test } from 'vitest'
import { ACTING_CONSUMERS } from './acting-consumers.ts'

/**
 * The types that each consumer which acts on events handles in its version. Whoever changes a list here raises the version
 * with it, or an older worker takes the new type's events past the newer one while both run (`ACTING_CONSUMERS`).
 */
const HANDLED: Record<string, string[]> = {
  'chat-answers 1': ['ChatMessagePosted'],
  'dispatch 1': [
    'ChatAnswersUnread',
    'ChatTranscriptRequested',
    'ContractAccepted',
    'ContractNoticeGiven',
    'ContractWentLive',
    'EmailActivationRequested',
    'EmailResendRequested',
    'EmailTestRequested',
    'LeadAlertRequested',
    'LeadCopyRequested',
    'LeadEmailWritten',
    'LeadReleased',
    'LeadSubmitted',
    'PasswordLinkRequested',
    'WebhookAlertRequested',
  ],
  'erasures 1': ['ErasureRequested'],
  'failed-answers 1': ['EmailFailed', 'EmailSent'],
  'key-eraser 1': ['ChatErased', 'LeadErased'],
  'pushes 1': ['ChatPushRequested', 'LeadPushRequested'],
  'signed-copies 1': ['LeadCorrected', 'LeadReleased', 'LeadSubmitted'],
  'visitor-copies 1': ['LeadReleased', 'LeadSubmitted'],
  'webhooks 1': [
    'ChatEnded',
    'ChatStarted',
    'LeadAnswerFailed',
    'LeadAnswerRestored',
    'LeadAnswerWithdrawn',
    'LeadAnswered',
    'LeadCorrected',
    'LeadEntered',
    'LeadFollowUpChanged',
    'LeadNoteAdded',
    'LeadNoteRemoved',
    'LeadReleased',
    'LeadSubmitted',
    'LeadsMerged',
    'LeadsUnmerged',
    'WebhookChanged',
    'WebhookResendRequested',
    'WebsiteInfoSubmitted',
  ],
}

test('a consumer that acts on events handles in its version the types that belong to it, and no others', () => {
  expect(
    Object.fromEntries(ACTING_CONSUMERS.map(({ name, version, types }) => [`${name} ${version}`, types.toSorted()])),
  ).toEqual(HANDLED)
})
