/** A word that no version knows yet. */
export const NEW_WORD = 'brand_new'

/** The fields whose values are words of a list that may grow. */
const WORDS = new Set([
  'followUpStatus',
  'emailStatus',
  'kind',
  'state',
  'recipient',
  'source',
  'package',
  'time',
  'endedBy',
  'senderType',
  'party',
  'code',
])

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * A response as a newer node might send it: each object has one more field, and each word is one that this version does
 * not know. `kept` names fields whose words stay.
 */
export const fromTheFuture = (answer: unknown, kept: readonly string[] = []): unknown => {
  if (Array.isArray(answer)) return answer.map((each) => fromTheFuture(each, kept))
  if (!isRecord(answer)) return answer
  const fields = Object.entries(answer).map(([name, value]) => {
    if (kept.includes(name)) return [name, value]
    if (name === 'suspicion') return [name, [NEW_WORD]]
    if (name === 'role') return [name, value === 'owner' ? value : NEW_WORD]
    return [name, WORDS.has(name) && typeof value === 'string' ? NEW_WORD : fromTheFuture(value, kept)]
  })
  return { ...Object.fromEntries(fields), addedLater: { by: 'a newer node' } }
}
