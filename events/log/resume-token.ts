import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from './secret-keys.ts'

type Keys = Pick<SecretKeys, 'resumeTokens'>

const tokenBy = (key: string, sessionId: string) =>
  createHmac('sha256', key).update(`chat-resume:${sessionId}`).digest('base64url')

/** The token that lets its bearer come back to a session: only the nodes, which share the secret, can make it. */
export const resumeToken = ({ resumeTokens: [active] }: Keys, sessionId: string): string => tokenBy(active, sessionId)

/** Whether a token was made for this session, with any key of the ring. */
export const isResumeToken = ({ resumeTokens }: Keys, sessionId: string, token: string): boolean => {
  const given = Buffer.from(token)
  return resumeTokens.some((key) => {
    const expected = Buffer.from(tokenBy(key, sessionId))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
