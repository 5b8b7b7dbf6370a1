import { nameOf } from '../../events/base/name-of.ts'
import type { ApiToken } from '../../events/staff/api-token-wire.ts'

/** What each scope lets a program do. */
export const SCOPE_NAMES = {
  'leads:read': 'Read and export leads',
  'leads:write': 'Enter and change leads',
  'chats:read': 'Read chats',
} as const

/** What a token lets its program do, in words. */
export const scopesInWords = (scopes: ApiToken['scopes']) =>
  scopes.map((scope) => nameOf(SCOPE_NAMES, scope)).join(', ')
