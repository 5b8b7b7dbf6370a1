import type { SigningKeys } from '../../keys/signing-keys.ts'
import { readVersions } from '../../log/read.ts'
import type { Sql } from '../../stores/connection.ts'
import { chatLinksStreams } from '../links.ts'
import { resumeToken } from './resume-token.ts'

/** The generation of the links that lead to a chat by now. */
export const linkGeneration = async (sql: Sql, sessionId: string): Promise<number> => {
  const stream = chatLinksStreams.of(sessionId)
  return (await readVersions(sql, [stream])).get(stream) ?? 0
}

type LinkMaker = { publicUrl: string; signingKeys: SigningKeys }

/** The URL of a generation by which a visitor returns to a chat. Anyone who has it can read and write there. */
export const linkOf = ({ publicUrl, signingKeys }: LinkMaker, sessionId: string, generation: number): string =>
  `${publicUrl}/#chat=${sessionId}.${resumeToken(signingKeys, sessionId, generation)}`

/** The URL by which a visitor returns to a chat now. */
export const chatLink = async (sql: Sql, maker: LinkMaker, sessionId: string): Promise<string> =>
  linkOf(maker, sessionId, await linkGeneration(sql, sessionId))
