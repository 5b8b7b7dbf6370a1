import { nameOf } from '../../../events/base/name-of.ts'
import type { ApiToken } from '../../../events/staff/api-token-wire.ts'

export const SCOPE_NAMES = {
  'leads:read': 'Read and export leads',
  'leads:write': 'Enter and change leads',
  'chats:read': 'Read chats',
} as const

export const scopesInWords = (scopes: ApiToken['scopes']) =>
  scopes.map((scope) => nameOf(SCOPE_NAMES, scope)).join(', ')
