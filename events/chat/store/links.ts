import type { SecretKeys } from '../../keys/secret-keys.ts'
import { readVersions } from '../../log/read.ts'
import type { Sql } from '../../stores/connection.ts'
import { chatLinksStreams } from '../links.ts'
import { resumeToken } from './resume-token.ts'

/** The generation of the links that lead to a chat by now. */
export const linkGeneration = async (sql: Sql, sessionId: string): Promise<number> => {
  const stream = chatLinksStreams.of(sessionId)
  return (await readVersions(sql, [stream])).get(stream) ?? 0
}

/** The URL by which a visitor returns to a chat. Anyone who has it can read and write there. */
export const chatLink = async (
  sql: Sql,
  { publicUrl, secretKeys }: { publicUrl: string; secretKeys: SecretKeys },
  sessionId: string,
): Promise<string> =>
  `${publicUrl}/#chat=${sessionId}.${resumeToken(secretKeys, sessionId, await linkGeneration(sql, sessionId))}`
