import { expect, test } from 'vitest'
import { READERS } from './readers.ts'
import { PROJECTIONS } from './views.ts'

/**
 * The types that each consumer which acts on events handles in its version. Whoever changes a list here raises the version
 * with it, or an older worker takes the new type's events past the newer one while both run (`actingConsumer`).
 */
const HANDLED: Record<string, string[]> = {
  'chat-answers 1': ['ChatMessagePosted'],
  'chat-pushes 1': ['ChatPushRequested'],
  'copies 2': ['LeadReleased', 'LeadSubmitted'],
  'dispatch 11': [
    'ChatAnswersUnread',
    'ChatTranscriptRequested',
    'EmailActivationRequested',
    'EmailResendRequested',
    'LeadAlertRequested',
    'LeadCopyRequested',
    'LeadEmailWritten',
    'LeadReleased',
    'LeadSubmitted',
    'PasswordLinkRequested',
    'WebhookAlertRequested',
  ],
  'erasures 1': ['ErasureRequested'],
  'failed-answers 2': ['EmailForwardFailed', 'EmailForwarded'],
  'forget 2': ['ChatErased', 'LeadErased'],
  'pushes 1': ['LeadPushRequested'],
  'webhooks 12': [
    'ChatEnded',
    'ChatStarted',
    'LeadCorrected',
    'LeadEntered',
    'LeadFollowUpChanged',
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
  const acting = READERS.filter((reader) => !PROJECTIONS.some(({ name }) => name === reader.name))
  expect(
    Object.fromEntries(acting.map(({ name, version, types }) => [`${name} ${version}`, types.toSorted()])),
  ).toEqual(HANDLED)
})
