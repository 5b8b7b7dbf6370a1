import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT_FRAMES } from '../events/chat/client-frames.ts'
import type { TokenScope } from '../events/staff/api-token.ts'
import { connect } from '../events/stores/connection.ts'
import { QUEUES } from '../events/stores/redis/queues.ts'
import { eventually, nodeEnvironment, STAFF, startTestWorker } from '../events/testing/node.ts'
import type { TestProcess } from '../events/testing/process.ts'
import { createApp } from './app.ts'
import { openGateway } from './chat/gateway.ts'
import { readConfig } from './node/config.ts'
import { loadPages } from './pages.ts'
import { closeNode, openNode } from './process/run-node.ts'
import { ROUTES } from './routes.ts'
import {
  ACTORS,
  type Actor,
  FRAME_ACCESS,
  type Guarded,
  type Outcome,
  outcomeOf,
  PROGRAMS,
  type Program,
  refusalOf,
} from './testing/access.ts'
import { openTestAccounts, type TestAccounts } from './testing/accounts.ts'
import { joinChat, openTestClient, say, type TestClient } from './testing/socket-client.ts'

/** Is in the lead and in the chat that only staff, and the chat's own visitor, may read. */
const MARK = 'Quintessa'

type Headers = Record<string, string>

let accounts: TestAccounts
let worker: TestProcess
let headers: Record<Actor | Program, Headers>
let leadId: string
let chat: Awaited<ReturnType<typeof joinChat>>
let otherChat: Awaited<ReturnType<typeof joinChat>>
let callers = 0

/** A visitor's attempt with the token of their chat, which proves nothing outside that chat. */
const withToken = ({ resumeToken }: { resumeToken: string }): Headers => ({
  cookie: `staff_session=${resumeToken}`,
  authorization: `Bearer ${resumeToken}`,
})

/** Refuses staff who are signed in by a password alone, or admits them again. */
const requireTwoFactor = async (isRequired: boolean) => {
  const sql = connect(accounts.stores.databaseUrl, { max: 1, name: 'test' })
  await (isRequired
    ? sql`insert into sign_in_rules (requires_two_factor) values (true) on conflict (id) do update set requires_two_factor = true`
    : sql`delete from sign_in_rules`)
  await sql.end()
}

/** A token of these scopes, as its program sends it. */
const tokenOf = async (...scopes: TokenScope[]) => {
  const { id, token } = await accounts.addToken(...scopes)
  return { id, headers: { authorization: `Bearer ${token}` } }
}

beforeAll(async () => {
  accounts = await openTestAccounts()
  const [node] = accounts.nodes
  worker = await startTestWorker(accounts.stores)
  const form = { name: MARK, email: 'q@example.com', phone: '082 555 0142', leadSource: 'hero_form' }
  leadId = (await (await node.post('/api/leads', form)).json()).id
  chat = await joinChat(node, MARK)
  otherChat = await joinChat(node, 'Bongani')
  await say(chat.client, chat.sessionId, `I am ${MARK}`)
  const removed = await accounts.add('owner')
  const removedSession = await accounts.signInAs(removed)
  const revoked = await tokenOf('leads:read', 'leads:write', 'chats:read')
  headers = {
    'leads:read': (await tokenOf('leads:read')).headers,
    'leads:write': (await tokenOf('leads:write')).headers,
    'chats:read': (await tokenOf('chats:read')).headers,
    'revoked token': revoked.headers,
    nobody: {},
    visitor: withToken(chat),
    'link holder': withToken(chat),
    'another visitor': withToken(otherChat),
    'removed account': removedSession,
    'not admitted': await accounts.signInAs(await accounts.add('owner')),
    agent: await accounts.signInAs(await accounts.add('agent')),
    owner: accounts.owner(),
  }
  await accounts.send('DELETE', `/api/accounts/${removed.id}`)
  await accounts.send('DELETE', `/api/tokens/${revoked.id}`)
  await eventually(async () => {
    const leads = await (await accounts.send('GET', '/api/leads')).json()
    expect(leads).toContainEqual(expect.objectContaining({ id: leadId }))
  })
})

afterAll(async () => {
  await Promise.all([chat.client.close(), otherChat.client.close()])
  await worker.stop()
  await accounts.stop()
})

/** The routes of the application that nodes run. */
const routesOfNode = async () => {
  const config = readConfig({ ...nodeEnvironment(accounts.stores, 1), LOG_LEVEL: 'silent' })
  const node = await openNode(config)
  const gateway = openGateway(node)
  const onError = (error: unknown) => {
    throw error
  }
  const pages = await loadPages(config, node.settings, { onError })
  const { routes } = createApp(node, { pages, gateway })
  await gateway.close()
  await closeNode(node)
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))]
}

const idsUnder = (path: string) => {
  if (path.startsWith('/api/leads/')) return leadId
  return /^\/api\/(chats|chat-files)\//.test(path) ? chat.sessionId : randomUUID()
}

/** An address that a route serves. If it names a lead or a chat, it is the one with the mark. */
const addressOf = (path: string) =>
  path
    .replace(':id', idsUnder(path))
    .replace(':file', randomUUID())
    .replace(':queue', QUEUES.emailService)
    .replace(/:change\{(\w+)[^}]*\}/, '$1')
    .replace(':job', '1')
    .replace(':state', 'failed')
    .replace('*', randomUUID())

/** Calls a route from the outer network with an invalid body, so that an admitted call changes nothing. */
const call = async ({ method, path }: Guarded, actor: Actor | Program, address = addressOf) => {
  callers += 1
  const verb = method === 'ALL' ? 'GET' : method
  const isSent = verb !== 'GET'
  const response = await accounts.nodes[0].call(address(path), {
    method: verb,
    headers: {
      'x-forwarded-for': `203.0.113.${callers % 250}`,
      ...(isSent && { 'content-type': 'application/json' }),
      ...headers[actor],
    },
    ...(isSent && { body: '{}' }),
  })
  const isEndless = response.headers.get('content-type') === 'text/event-stream'
  const text = isEndless ? '' : await response.text()
  if (isEndless) await response.body?.cancel()
  return { status: response.status, text }
}

describe('routes', () => {
  /** The routes of a node that are not declared: the outcome of each path is listed here. */
  const others: Guarded[] = [
    { method: 'ALL', path: '/*', access: 'anyone' },
    { method: 'GET', path: '/*', access: 'anyone' },
    { method: 'ALL', path: '/api/*', access: 'anyone' },
    { method: 'GET', path: '/ws', access: 'anyone' },
    { method: 'ALL', path: '/admin-queues/*', access: 'owners' },
  ]
  const nameOf = ({ method, path }: Guarded) => `${method} ${path}`

  test('all routes of a node are declared, but these few', async () => {
    expect((await routesOfNode()).sort()).toEqual([...ROUTES, ...others].map(nameOf).sort())
  })

  // the call that ends a session comes last
  const isLast = (route: Guarded) => route.path === '/api/logout'
  const routes = [...ROUTES.filter((route) => !isLast(route)), ...others, ...ROUTES.filter(isLast)]

  test.each([...ACTORS, ...PROGRAMS])('%s is served and refused as each route declares', async (actor) => {
    const wrong: unknown[] = []
    await requireTwoFactor(actor === 'not admitted')
    for (const route of routes) {
      const refusal = refusalOf(route, actor)
      const { status, text } = await call(route, actor)
      const isRefused = status === 401 || status === 403
      const isRight = refusal === undefined ? !isRefused && status < 500 : status === refusal
      if (!isRight)
        wrong.push({ route: nameOf(route), expected: refusal ?? 'served', status, text: text.slice(0, 200) })
      const isAnothers = !(actor === 'agent' || actor === 'owner' || actor === route.scope)
      const mayRead = !isAnothers && refusal === undefined
      if (!mayRead && text.includes(MARK)) wrong.push({ route: nameOf(route), told: MARK })
    }
    await requireTwoFactor(false)
    expect(wrong).toEqual([])
  })

  test('an id that is no UUID is found by no route, even one that Postgres takes for no text', async () => {
    const wrong: unknown[] = []
    const strange = (path: string) => addressOf(path.replace(/:(id|file|queue|job)\b/g, '%00'))
    for (const route of routes.filter(({ path }) => path.includes('/:'))) {
      for (const actor of ['owner', 'visitor'] as const) {
        const { status, text } = await call(route, actor, strange)
        const isRight = route.path.startsWith('/api/') ? status === 404 : status < 500
        if (!isRight) wrong.push({ route: nameOf(route), actor, status, text: text.slice(0, 200) })
      }
    }
    expect(wrong).toEqual([])
  })

  test('routes that declare it ask for the password first, unless it was entered recently', async () => {
    await accounts.signOwnerIn()
    headers.owner = accounts.owner()
    const owner = (await accounts.list()).find(({ username }) => username === STAFF.username)
    await accounts.forgetConfirmation(owner ?? expect.fail())
    const asked: string[] = []
    for (const route of routes) {
      const { status, text } = await call(route, 'owner')
      if (status === 403 && text.includes('urn:problem:confirmation-required')) asked.push(nameOf(route))
    }
    const always = ROUTES.filter(({ isConfirmed }) => isConfirmed === true)
    expect(asked.sort()).toEqual(always.map(nameOf).sort())
  })

  test('the inner network is served its own routes', async () => {
    expect((await fetch(`${accounts.nodes[0].url}/metrics`)).status).toBe(200)
  })
})

describe('frames', () => {
  const sockets: TestClient[] = []

  beforeAll(async () => {
    // the routes ended these
    await accounts.signOwnerIn()
    headers.owner = accounts.owner()
    headers.agent = await accounts.signInAs(await accounts.add('agent'))
    headers['not admitted'] = await accounts.signInAs(await accounts.add('owner'))
  })
  afterAll(() => Promise.all(sockets.map((socket) => socket.close())))

  const tokens: Record<Actor, () => string> = {
    nobody: () => 'a token that nobody made',
    visitor: () => chat.resumeToken,
    'link holder': () => chat.resumeToken,
    'another visitor': () => otherChat.resumeToken,
    'removed account': () => '',
    'not admitted': () => '',
    agent: () => '',
    owner: () => '',
  }

  const enter = (socket: TestClient, { sessionId, resumeToken, joinKey }: Partial<typeof chat>) => {
    socket.send({ type: 'join_chat', visitorName: 'Ana', sessionId, resumeToken, joinKey })
    return socket.take('chat_joined')
  }

  /** Opens the socket of an actor, who joins what they can, as their page does. */
  const socketOf = async (actor: Actor) => {
    const isVisitor = actor === 'visitor' || actor === 'link holder' || actor === 'another visitor'
    const socket = await openTestClient(accounts.nodes[1], isVisitor ? {} : headers[actor])
    sockets.push(socket)
    if (actor === 'visitor') await enter(socket, chat)
    if (actor === 'link holder') await enter(socket, { ...chat, joinKey: undefined })
    if (actor === 'another visitor') await enter(socket, otherChat)
    if (actor === 'agent' || actor === 'owner') {
      socket.send({ type: 'join_admin' })
      await socket.take('active_sessions')
    }
    return socket
  }

  /** Each kind of frame, about the visitor's chat. */
  const frameOf = (type: keyof typeof FRAME_ACCESS, actor: Actor): object => {
    const { sessionId } = chat
    switch (type) {
      case 'join_chat':
        return {
          type,
          visitorName: 'Ana',
          sessionId,
          resumeToken: tokens[actor](),
          ...(actor === 'visitor' && { joinKey: chat.joinKey }),
        }
      case 'send_message':
        return { type, sessionId, message: `from ${actor}`, clientMessageId: actor }
      case 'give_email':
        return { type, sessionId, visitorEmail: 'later@example.com', clientMessageId: actor }
      case 'rate_chat':
        return { type, sessionId, score: 'good', comment: 'Quick and clear' }
      case 'typing':
        return { type, sessionId, isTyping: true, senderType: 'admin', senderName: 'Support Team' }
      case 'receipt':
        return { type, sessionId, delivered: 1, seen: 1 }
      case 'watch':
      case 'end_chat':
      case 'get_messages':
      case 'open_chat':
        return { type, sessionId }
      case 'follow_visitors':
        return { type, sessionIds: [sessionId] }
      case 'join_admin':
      case 'ping':
        return { type }
      default:
        return type satisfies never
    }
  }

  /** Frames are handled in order: a refusal is sent before the pong to the next frame. */
  const outcomeFor = async (socket: TestClient, frame: object): Promise<Outcome> => {
    const before = socket.framesOf('error').length
    socket.send(frame)
    socket.send({ type: 'ping' })
    const pongs = 'type' in frame && frame.type === 'ping' ? 2 : 1
    for (let pong = 0; pong < pongs; pong += 1) await socket.take('pong')
    return socket.framesOf('error')[before]?.code ?? 'served'
  }

  test('the table names every frame that a client may send', () => {
    expect(new Set(Object.keys(FRAME_ACCESS))).toEqual(new Set(CLIENT_FRAMES.keys()))
  })

  test.each(ACTORS)('%s is served and refused as in the table', async (actor) => {
    chat = await joinChat(accounts.nodes[0], MARK)
    await say(chat.client, chat.sessionId, `I am ${MARK}`)
    await requireTwoFactor(actor === 'not admitted')
    const socket = await socketOf(actor)
    const outcomes: Record<string, Outcome> = {}
    // the frame that ends the chat comes last, before the frames about an ended chat
    const types = Object.keys(FRAME_ACCESS) as (keyof typeof FRAME_ACCESS)[]
    const last = ['end_chat', 'rate_chat'] as const
    for (const type of [...types.filter((type) => !last.some((one) => one === type)), ...last]) {
      outcomes[type] = await outcomeFor(socket, frameOf(type, actor))
    }
    await requireTwoFactor(false)
    expect(outcomes).toEqual(Object.fromEntries(types.map((type) => [type, outcomeOf(FRAME_ACCESS[type], actor)])))
    const record = await (await accounts.send('GET', `/api/chats/${chat.sessionId}`)).json()
    const mayWrite = outcomes.send_message === 'served'
    expect(record.messages).toHaveLength(mayWrite ? 2 : 1)
    expect(record.session.isActive).toBe(outcomes.end_chat !== 'served')
    expect(record.session.visitorEmail).toBe(actor === 'visitor' ? 'later@example.com' : null)
    const mayRead = actor === 'visitor' || actor === 'link holder' || actor === 'agent' || actor === 'owner'
    if (!mayRead) expect(JSON.stringify(socket.frames)).not.toContain(MARK)
    await chat.client.close()
  })
})
