import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context } from 'hono'
import { chatStreams, OPEN_CHAT_VERSION } from '../../../events/chat/chat.ts'
import { ACCEPTED_FILES, MAX_FILE_BYTES, safeFileName, sniffedType } from '../../../events/chat/file.ts'
import type { Party } from '../../../events/chat/parties.ts'
import { readFile, storeFile } from '../../../events/chat/store/files.ts'
import { chatFile } from '../../../events/chat/wire.ts'
import { LogError } from '../../../events/keys/errors.ts'
import { readVersions } from '../../../events/log/read.ts'
import { openPlaces } from '../../../events/stores/postgres/slots.ts'
import type { SlotName } from '../../admission/limits.ts'
import { RequestError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { openPacedStream, readUpload, statedLength } from '../../http/transfer.ts'
import type { ApiNode } from '../../node/node.ts'
import { readResumeState } from '../log/sessions.ts'
import { type Participant, type ParticipantEnv, stranger } from './participant.ts'
import { assertShowable } from './picture.ts'

/**
 * The maximum number of files being stored in or read from Postgres at once; each is in memory several times during
 * that time.
 */
const AT_POSTGRES = 2
const AT_POSTGRES_WAITING = { most: 20, ms: 15_000 }

type FileContext = Context<ParticipantEnv>

/** Refuses a visitor whose token is no longer valid. This reads the log, so it runs once there is a slot. */
const expectValid = async (node: ApiNode, sessionId: string, { generation }: Participant) => {
  if (generation === undefined) return
  const resumeState = await readResumeState(node, sessionId)
  if (generation !== resumeState.generation || resumeState.isOver) throw stranger()
}

/**
 * Takes a slot of the node's visitors or staff, of the address, and of the chat or account; returns a function that
 * releases them all.
 */
const holdAll = (
  { admission }: ApiNode,
  slot: Extract<SlotName, 'chat_uploads' | 'chat_downloads'>,
  { party, caller: { address, session, account } }: Participant,
) => {
  const held: (() => void)[] = []
  const letGo = () => {
    for (const each of held) each()
  }
  try {
    held.push(admission.hold(`${slot}_of_one`, session ?? account ?? ''))
    if (address !== undefined) held.push(admission.hold(`${slot}_of_address`, address))
    held.push(admission.hold(slot, party))
    return letGo
  } catch (error) {
    letGo()
    throw error
  }
}

const expectOpen = async ({ sql }: ApiNode, sessionId: string) => {
  const stream = chatStreams.of(sessionId)
  const version = (await readVersions(sql, [stream])).get(stream) ?? 0
  if (version === 0) throw new RequestError('not_found', 'There is no such chat')
  if (version > OPEN_CHAT_VERSION) throw new RequestError('chat_ended', 'This chat has ended')
}

/** The name that the sender gives the file, percent-encoded in the header `X-File-Name`. */
const givenName = (c: FileContext) => {
  try {
    return decodeURIComponent(c.req.header('x-file-name') ?? '')
  } catch {
    return ''
  }
}

/** A name as RFC 6266 sends it: in ASCII, and whole (RFC 8187). */
const attachmentNamed = (name: string) => {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`
}

/** Sends a file part by part, at its reader's pace. */
const PART_BYTES = 64 * 1024

function* partsOf(content: Buffer) {
  for (let at = 0; at < content.length; at += PART_BYTES) yield content.subarray(at, at + PART_BYTES)
}

/** A file is never shown as a page of this site, whatever it contains. */
const ATTACHED = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'private, no-store',
}

const atPostgres = openPlaces(AT_POSTGRES, AT_POSTGRES_WAITING)

/** Stores a file of the chat; its own bytes decide its type, not the sender's claim. */
const store = async (node: ApiNode, c: FileContext, sessionId: string, party: Party, content: Buffer) => {
  const mediaType = sniffedType(content)
  if (!mediaType) throw new RequestError('unsupported_media_type', ACCEPTED_FILES)
  if (mediaType.startsWith('image/')) assertShowable(content)
  const file = { id: randomUUID(), name: safeFileName(givenName(c), mediaType), mediaType, size: content.length }
  const outcome = await atPostgres.use(() => storeFile(node.sql, { sessionId, party, file, content }))
  switch (outcome) {
    case 'stored':
      return file
    case 'chat_full':
      throw new RequestError('chat_full', 'This chat cannot hold more files')
    case 'full':
      node.logger.warn('chats hold as many files as they can together')
      throw new RequestError('unavailable', 'No more files can be stored at the moment: write to us instead')
    case 'erased':
      throw new RequestError('chat_ended', 'This chat has ended')
    default:
      return outcome satisfies never
  }
}

const receive = async (node: ApiNode, c: FileContext, sessionId: string) => {
  const participant = c.get('participant')
  const { party, caller } = participant
  const length = statedLength(c.env.incoming, MAX_FILE_BYTES)
  const letGo = holdAll(node, 'chat_uploads', participant)
  try {
    await expectValid(node, sessionId, participant)
    await expectOpen(node, sessionId)
    await node.admission.admit('chat_files', caller)
    return await store(node, c, sessionId, party, await readUpload(c.env.incoming, length))
  } catch (error) {
    if (!(error instanceof LogError && error.code === 'erased')) throw error
    throw new RequestError('chat_ended', 'This chat has ended', { cause: error })
  } finally {
    letGo()
  }
}

const send = async (node: ApiNode, c: FileContext, sessionId: string, id: string) => {
  const participant = c.get('participant')
  const { caller } = participant
  const letGo = holdAll(node, 'chat_downloads', participant)
  try {
    await expectValid(node, sessionId, participant)
    await node.admission.admit('chat_files_read', caller)
    const file = await atPostgres.use(() => readFile(node.sql, { sessionId, id }))
    if (!file) throw new RequestError('not_found', 'This file is no longer there')
    const headers = {
      ...ATTACHED,
      'Content-Disposition': attachmentNamed(file.name),
      'Content-Type': file.mediaType,
      'Content-Length': String(file.size),
    }
    if (c.req.method === 'HEAD') {
      letGo()
      return c.body(null, 200, headers)
    }
    const out = openPacedStream()
    out.once('close', () => {
      letGo()
      if (!out.readableEnded) c.env.outgoing.destroy()
    })
    Readable.from(partsOf(file.content)).pipe(out)
    return c.body(Readable.toWeb(out) as ReadableStream, 200, headers)
  } catch (error) {
    letGo()
    throw error
  }
}

/**
 * The visitor of a chat and staff store images and PDF files there, of at most MAX_FILE_BYTES, and fetch those of both
 * sides. The message that names the file comes by the socket. A refused file is refused before it is read.
 */
export const chatFileRoutes = [
  route('POST', '/api/chat-files/:id', {
    access: 'participants',
    summary: 'Stores a file of a chat, which a message then names',
    body: { mediaType: 'application/octet-stream' },
    answer: chatFile,
    status: 201,
    mayConflict: true,
    headers: { 'X-File-Name': 'The file’s name, percent-encoded.' },
    handler: ({ node, c, params: { id } }) => receive(node, c, id),
  }),
  route('GET', '/api/chat-files/:id/:file', {
    access: 'participants',
    summary: 'A file of a chat',
    answer: { mediaType: 'application/octet-stream' },
    handler: ({ node, c, params: { id, file } }) => send(node, c, id, file),
  }),
]
