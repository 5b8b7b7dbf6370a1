import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import type { Party } from '../../events/chat-desk.ts'
import { type ChatFile, FILE_TYPES, sniffedType } from '../../events/chat-file.ts'
import { readFile, storeFile } from '../../events/log/chat-files.ts'
import { LogError } from '../../events/log/errors.ts'
import { isResumeToken } from '../../events/log/resume-token.ts'
import type * as wire from '../../events/wire/chat.ts'
import type { Sent } from '../../events/wire/word.ts'
import type { Who } from '../admission/admission.ts'
import { clientAddress } from '../admission/client-address.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { readSession as readStaffSession } from '../staff/session.ts'
import { readSession } from './session-log.ts'

/** Where the files of chats are sent to and fetched from. */
export const CHAT_FILES_PATH = '/api/chat-files'

const BEARER = 'Bearer '

/** Who takes part in a chat, and how they are counted. */
type Participant = { party: Party; who: Who; slot: string }

const isUuid = (id: string) => v.is(v.pipe(v.string(), v.uuid()), id)

/**
 * Who asks for a chat's files: its visitor, by the chat's resume token, or staff, by their cookie. Anybody else is told to
 * join, whether there is such a chat or not.
 */
const participantOf = async (node: ApiNode, c: Context, sessionId: string): Promise<Participant> => {
  const authorization = c.req.header('authorization') ?? ''
  if (authorization.startsWith(BEARER) && isUuid(sessionId)) {
    if (isResumeToken(node.config.secretKeys, sessionId, authorization.slice(BEARER.length))) {
      const address = clientAddress(node, c)
      return { party: 'visitor', who: { address, session: sessionId }, slot: address }
    }
  }
  const staff = await readStaffSession(node, c)
  if (!staff) throw new RequestError('not_signed_in', 'Send the resume token of this chat, or sign in at /login')
  return { party: 'admin', who: { account: staff.id }, slot: staff.id }
}

const openSession = async (node: ApiNode, sessionId: string) => {
  const session = isUuid(sessionId) ? await readSession(node, sessionId) : undefined
  if (!session) throw new RequestError('not_found', 'There is no such chat')
  if (!session.isActive) throw new RequestError('conflict', 'This chat has ended')
}

/** Stores what was sent as a file of the chat, whatever it is said to be: its own bytes decide. */
const take = async (node: ApiNode, c: Context, sessionId: string, party: Party): Promise<ChatFile> => {
  const content = Buffer.from(await c.req.arrayBuffer())
  const mediaType = sniffedType(content)
  if (!mediaType) throw new RequestError('unsupported_media_type', `A chat takes ${FILE_TYPES.join(', ')}`)
  const file = { id: randomUUID(), mediaType, size: content.length }
  const outcome = await storeFile(node.sql, { sessionId, party, file, content })
  if (outcome === 'full') throw new RequestError('conflict', 'This chat holds as many files as it can')
  if (outcome === 'erased') throw new RequestError('conflict', 'This chat has ended')
  return file
}

/** Never shown as a page of this site, whatever it holds. */
const ATTACHED = {
  'Content-Disposition': 'attachment',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'private, no-store',
}

/**
 * `/api/chat-files/:id`: the visitor of a chat and staff store images and PDF files there, of at most MAX_FILE_BYTES, and
 * fetch those of both. A message that names the file comes by the socket.
 */
export const chatFileRoutes = (node: ApiNode) =>
  new Hono()
    .post('/:id', async (c) => {
      const sessionId = c.req.param('id')
      const { party, who, slot } = await participantOf(node, c, sessionId)
      await openSession(node, sessionId)
      await node.admission.admit('chat_files', who)
      const letGo = node.admission.hold('chat_files_at_once', slot)
      try {
        const file = await take(node, c, sessionId, party)
        return c.json(file satisfies Sent<typeof wire.storedFile>, 201)
      } catch (error) {
        if (!(error instanceof LogError && error.code === 'erased')) throw error
        throw new RequestError('conflict', 'This chat has ended', { cause: error })
      } finally {
        letGo()
      }
    })
    .get('/:id/:file', async (c) => {
      const { id, file } = c.req.param()
      const { slot } = await participantOf(node, c, id)
      const letGo = node.admission.hold('chat_files_at_once', slot)
      try {
        const stored = isUuid(id) && isUuid(file) ? await readFile(node.sql, id, file) : undefined
        if (!stored) throw new RequestError('not_found', 'There is no such file any more')
        return c.body(new Uint8Array(stored.content), 200, { ...ATTACHED, 'Content-Type': stored.mediaType })
      } finally {
        letGo()
      }
    })
