import process from 'node:process'
import { Redis } from 'ioredis'
import { WebSocket, WebSocketServer } from 'ws'
import { openGroupCommit } from '../../events/local/bench/append-peers.ts'

// For the benchmark of messages: the least that a durable chat over several nodes can be. A socket names its
// conversation in the address; a message is stored in a bare group commit, then published to the conversation's channel.
// No members, no order, no history, nothing twice.

const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl = '', PORT: port = '' } = process.env

type Told = { conversation: string; id: string; message: string }

const publisher = new Redis(redisUrl)
const subscriber = new Redis(redisUrl)
const members = new Map<string, Set<WebSocket>>()

let next: Told | undefined
const store = openGroupCommit(databaseUrl, 'bare', {
  row: () => JSON.stringify(next),
  send: (sql, rows) => sql`
    insert into bare_messages (conversation, id, message)
    select conversation, id, message
    from jsonb_to_recordset(${`[${rows.join()}]`}::text::jsonb) as r (conversation text, id text, message text)`,
})

subscriber.on('message', (channel, text) => {
  for (const socket of members.get(channel) ?? []) if (socket.readyState === WebSocket.OPEN) socket.send(text)
})

const server = new WebSocketServer({ host: '127.0.0.1', port: Number(port), perMessageDeflate: false })
server.on('connection', async (socket, request) => {
  const conversation = `bare:${request.url?.slice(1)}`
  members.set(conversation, (members.get(conversation) ?? new Set()).add(socket))
  socket.on('message', async (data) => {
    const { id, message } = JSON.parse(data.toString()) as { id: string; message: string }
    next = { conversation, id, message }
    await store.write()
    publisher.publish(conversation, JSON.stringify({ type: 'new_message', clientMessageId: id, message }))
  })
  await subscriber.subscribe(conversation)
  socket.send(JSON.stringify({ type: 'chat_joined' }))
})
server.on('listening', () => process.send?.({ type: 'ready' }))
for (const event of ['SIGTERM', 'disconnect']) process.on(event, () => process.exit())
