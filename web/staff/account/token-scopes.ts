import { nameOf } from '../../../events/base/name-of.ts'
import type { ApiToken } from '../../../events/staff/api-token-wire.ts'

/** The permission of each scope. */
export const SCOPE_NAMES = {
  'leads:read': 'Read and export leads',
  'leads:write': 'Enter and change leads',
  'chats:read': 'Read chats',
} as const

/** The permissions of a token, as text. */
export const scopesInWords = (scopes: ApiToken['scopes']) =>
  scopes.map((scope) => nameOf(SCOPE_NAMES, scope)).join(', ')
