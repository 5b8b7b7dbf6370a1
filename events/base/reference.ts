/**
 * How people name a request on the phone and in an email: the beginning of the lead's id, as `3F9A-2C1B`. The visitor
 * sees it after the form was sent, and staff find the lead by it.
 */
export const referenceOf = (leadId: string): string => `${leadId.slice(0, 4)}-${leadId.slice(4, 8)}`.toUpperCase()

/** The range of lead ids that a text can be the reference of; undefined if it is not a reference. */
export const idsOfReference = (text: string): { from: string; to: string } | undefined => {
  const [, first, second] = /^\s*([0-9a-f]{4})[\s-]?([0-9a-f]{4})\s*$/i.exec(text) ?? []
  if (!first || !second) return undefined
  const start = (first + second).toLowerCase()
  return { from: `${start}-0000-0000-0000-000000000000`, to: `${start}-ffff-ffff-ffff-ffffffffffff` }
}
