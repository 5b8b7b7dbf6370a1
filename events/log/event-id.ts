import { hash } from 'node:crypto'

/**
 * Returns the UUID (version 8, RFC 9562) of a caller's key: the same parts always give the same id, so a repeated
 * request finds the event that the first one stored.
 */
export const deterministicUuid = (...parts: string[]): string => {
  const hex = hash('sha256', JSON.stringify(parts), 'hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
