import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SigningKeys } from '../../keys/signing-keys.ts'

type Keys = Pick<SigningKeys, 'resumeTokens'>

const TOKEN = /^(\d{1,9})-([\w-]+)$/

const macBy = (key: string, sessionId: string, generation: number) =>
  createHmac('sha256', key).update(`chat-resume:${sessionId}:${generation}`).digest('base64url')

/**
 * The token that lets its bearer come back to a session, as long as its links are of this generation: only the nodes and
 * workers, which share the secret, can make it.
 */
export const resumeToken = ({ resumeTokens: [active] }: Keys, sessionId: string, generation: number): string =>
  `${generation}-${macBy(active, sessionId, generation)}`

/** The generation that a token was made for; undefined if it was not made for this session with a key of the ring. */
export const tokenGeneration = ({ resumeTokens }: Keys, sessionId: string, token: string): number | undefined => {
  const [, digits, mac = ''] = TOKEN.exec(token) ?? []
  const generation = Number(digits)
  const presented = Buffer.from(mac)
  const isGenuine = resumeTokens.some((key) => {
    const expected = Buffer.from(macBy(key, sessionId, generation))
    return presented.length === expected.length && timingSafeEqual(presented, expected)
  })
  return isGenuine ? generation : undefined
}
