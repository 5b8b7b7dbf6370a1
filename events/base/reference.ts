/**
 * How people name a request on the phone and in an email: the beginning of the lead's id, as `3F9A-2C1B`. The visitor
 * sees it after the form was sent, and staff find the lead by it.
 */
export const referenceOf = (leadId: string): string => `${leadId.slice(0, 4)}-${leadId.slice(4, 8)}`.toUpperCase()

/** The reference of a contract has one group more, `3F9A-2C1B-7D10`: it cannot be guessed, and no two are the same. */
export const contractReferenceOf = (leadId: string): string =>
  `${referenceOf(leadId)}-${leadId.slice(9, 13).toUpperCase()}`

const REFERENCE = /^\s*([0-9a-f]{4})[\s-]?([0-9a-f]{4})(?:[\s-]?([0-9a-f]{4}))?\s*$/i

/** The range of lead ids that a text can be the reference of, a contract's too; undefined if it is not a reference. */
export const idsOfReference = (text: string): { from: string; to: string } | undefined => {
  const [, first, second, third] = REFERENCE.exec(text) ?? []
  if (!first || !second) return undefined
  const start = (first + second).toLowerCase()
  const [low, high] = third ? [third.toLowerCase(), third.toLowerCase()] : ['0000', 'ffff']
  return { from: `${start}-${low}-0000-0000-000000000000`, to: `${start}-${high}-ffff-ffff-ffffffffffff` }
}

/** The range of lead ids of a contract's whole reference; undefined if it is none. */
export const idsOfContract = (text: string): { from: string; to: string } | undefined =>
  REFERENCE.exec(text)?.[3] ? idsOfReference(text) : undefined
