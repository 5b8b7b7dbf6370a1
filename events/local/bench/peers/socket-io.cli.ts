import { createServer } from 'node:http'
import process from 'node:process'
import { createAdapter } from '@socket.io/redis-adapter'
import { Redis } from 'ioredis'
import { Server } from 'socket.io'
import { connect } from '../../../stores/connection.ts'

// A node of a chat by Socket.IO and its Redis adapter, as its documentation has it: one room per conversation. With
// KEEPS=1 each message is one INSERT before it is sent; without, nothing is stored.

const CONNECTIONS = 10
/** A lost connection is noticed as soon as this product notices it. */
const PING_EVERY_MS = 25_000

const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl = '', PORT: port = '', KEEPS: keeps = '' } = process.env

type Sent = { id: string; message: string }

const sql = connect(databaseUrl, { max: CONNECTIONS, name: 'bench' })
const server = createServer()
const io = new Server(server, {
  transports: ['websocket'],
  perMessageDeflate: false,
  serveClient: false,
  pingInterval: PING_EVERY_MS,
  // nodes that store messages and nodes that do not are two products, which share one Redis
  adapter: createAdapter(new Redis(redisUrl), new Redis(redisUrl), { key: keeps ? 'keeps' : 'forgets' }),
})

io.on('connection', (socket) => {
  socket.on('join_chat', async (chat: { conversation: string; visitorName: string }) => {
    // the chat's data about a socket
    socket.data.chat = chat
    await socket.join(chat.conversation)
    socket.emit('chat_joined', { sessionId: chat.conversation })
  })
  socket.on('send_message', async ({ id, message }: Sent) => {
    const { conversation } = socket.data.chat as { conversation: string }
    if (keeps) {
      await sql`insert into bare_messages (conversation, id, message) values (${conversation}, ${id}, ${message})`
    }
    io.to(conversation).emit('new_message', { clientMessageId: id, message })
  })
})
server.listen(Number(port), '127.0.0.1', () => process.send?.({ type: 'ready' }))
for (const event of ['SIGTERM', 'disconnect']) process.on(event, () => process.exit())
