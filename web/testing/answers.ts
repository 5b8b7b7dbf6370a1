import type { ContractsSummary } from '../../events/contract/wire.ts'
import { DEFAULT_SETTINGS } from '../../events/settings/settings.ts'
import { ALERTS } from '../../events/staff/staff.ts'
import type { Answer } from './server.ts'

/** The signed-in owner unless a test sets another account. */
export const THANDI = {
  id: '1128067a-94c7-4735-a125-0643e2a557f7',
  username: 'thandi',
  displayName: 'Thandi',
  role: 'owner',
  leadsLayout: 'cards',
  photo: null,
} as const

/** Her colleague, an agent. */
export const SIPHO = {
  id: '5f20dc71-c74c-4452-bd74-8f7c12a03af7',
  username: 'sipho',
  displayName: 'Sipho',
  role: 'agent',
  leadsLayout: 'cards',
  photo: null,
} as const

const COUNTS = {
  waiting: 0,
  stuck: 0,
  delivered: 0,
  needs_activation: 0,
  blocked: 0,
  rejected: 0,
  expired: 0,
  uncertain: 0,
  partial: 0,
  outbox: 0,
  attention: 0,
}

/** An agency without contracts. */
const NO_CONTRACTS: ContractsSummary = {
  count: 0,
  totals: { monthly: 0, packages: [], waiting: 0, late: 0, ending: 0 },
}

/** The requests of every staff screen: an agency of two, without waiting chats or leads. */
export const QUIET: Record<string, Answer> = {
  'GET /api/me': THANDI,
  'GET /api/leads/waiting': { count: 0, overdue: 0, newest: [] },
  'GET /api/chats/waiting': { count: 0, newest: [], handed: [] },
  'GET /api/emails/summary': COUNTS,
  'GET /api/webhooks': [],
  'GET /api/standstill': [],
  'GET /api/settings': DEFAULT_SETTINGS,
  'GET /api/me/alerts': { email: null, alerts: [...ALERTS], isPossible: true },
  'GET /api/staff': [THANDI, SIPHO].map(({ id, displayName, photo }) => ({ id, displayName, photo })),
  'GET /api/me/views': [],
  'GET /api/contracts': [],
  'GET /api/contracts/summary': NO_CONTRACTS,
  'GET /api/privacy/cases': [],
}
