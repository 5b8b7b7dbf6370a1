import { isSignature, type SigningKeys, signatureOf } from '../../keys/signing-keys.ts'

type Keys = Pick<SigningKeys, 'resumeTokens'>

const TOKEN = /^(\d{1,9})-([\w-]+)$/

const signed = (sessionId: string, generation: number) => `chat-resume:${sessionId}:${generation}`

/**
 * The token that lets its bearer come back to a session, as long as its links are of this generation: only the nodes and
 * workers, which share the secret, can make it.
 */
export const resumeToken = ({ resumeTokens }: Keys, sessionId: string, generation: number): string =>
  `${generation}-${signatureOf(resumeTokens, signed(sessionId, generation))}`

/** The generation that a token was made for; undefined if it was not made for this session with a key of the ring. */
export const tokenGeneration = ({ resumeTokens }: Keys, sessionId: string, token: string): number | undefined => {
  const [, digits, mac = ''] = TOKEN.exec(token) ?? []
  const generation = Number(digits)
  return isSignature(resumeTokens, signed(sessionId, generation), mac) ? generation : undefined
}
