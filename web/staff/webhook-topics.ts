import { nameOf } from '../../events/base/name-of.ts'
import type { Webhook } from '../../events/webhook/wire.ts'

/** What other programs are told of, in words. */
export const TOPIC_NAMES = {
  'lead.created': 'Lead created',
  'lead.changed': 'Lead changed',
  'lead.won': 'Lead won',
  'chat.started': 'Chat started',
  'chat.ended': 'Chat ended',
  test: 'Test',
} as const

/** What a webhook is told of, in words. */
export const topicsInWords = (topics: Webhook['topics']) => topics.map((topic) => nameOf(TOPIC_NAMES, topic)).join(', ')
