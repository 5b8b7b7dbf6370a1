import { createHmac, timingSafeEqual } from 'node:crypto'

/** The token that lets its bearer come back to a session: only the nodes, which share the secret, can make it. */
export const resumeToken = (secret: string, sessionId: string): string =>
  createHmac('sha256', secret).update(`chat-resume:${sessionId}`).digest('base64url')

/** Whether a token was made for this session. */
export const isResumeToken = (secret: string, sessionId: string, token: string): boolean => {
  const expected = Buffer.from(resumeToken(secret, sessionId))
  const given = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
