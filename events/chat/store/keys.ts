import { type DataKey, KeyError } from '../../keys/key-ring.ts'
import { loadKeys, type SubjectKeys } from '../../keys/subject-keys.ts'
import type { Queryable } from '../../log/decode.ts'

/** The keys that a connection was opened with. Throws a KeyError if it has none. */
export const keysOf = (sql: Queryable): SubjectKeys => {
  if (sql.keys) return sql.keys
  throw new KeyError('Chat data in tables is encrypted, and this connection was opened without keys')
}

/**
 * The key of a chat's visitor, to encrypt data of the chat in tables outside the log. Throws a LogError `erased` if it
 * was destroyed.
 */
export const chatKeyToWrite = async (sql: Queryable, sessionId: string): Promise<DataKey> => {
  const keys = keysOf(sql)
  if (!keys.cached(sessionId)) await loadKeys(sql, keys, [sessionId])
  const key = keys.cached(sessionId)
  if (!key) throw new KeyError(`Chat ${sessionId} has no data key`)
  return key
}
