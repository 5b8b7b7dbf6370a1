import { nameOf } from '../../../events/base/name-of.ts'
import type { Webhook } from '../../../events/webhook/wire.ts'

export const TOPIC_NAMES = {
  'lead.created': 'Lead created',
  'lead.changed': 'Lead changed',
  'lead.won': 'Lead won',
  'chat.started': 'Chat started',
  'chat.ended': 'Chat ended',
  test: 'Test',
} as const

export const topicsInWords = (topics: Webhook['topics']) => topics.map((topic) => nameOf(TOPIC_NAMES, topic)).join(', ')
