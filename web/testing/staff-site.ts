import { resolve } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { WebSocket } from 'ws'
import type { ClientFrame } from '../../events/chat/client-frames.ts'
import type { ServerFrame } from '../../events/chat/server-frames.ts'
import type { LeadForm } from '../../events/lead/form/form.ts'
import { leadStreams } from '../../events/lead/lead.ts'
import type { Lead } from '../../events/lead/wire.ts'
import { buildWebIfStale } from '../../events/local/web-build.ts'
import { openTestBrowser, type TestBrowser } from '../../events/testing/browser.ts'
import { eventually, STAFF, type TestNode, type TestStores } from '../../events/testing/node.ts'
import { openTestProduct } from '../../events/testing/product.ts'
import { violationsIn } from './axe.ts'
import { stopClock } from './clock.ts'

const DESKTOP = { width: 1440, height: 900 }
const PASSWORD = 'the password of a colleague'

/** A staff member's session. */
export type TestSession = { cookie: string }

/** The fields of a lead in a test; `at` is when it was submitted, now if it is left out. */
export type TestLead = Partial<LeadForm> & { at?: string }

/** The staff pages with leads to work on: an API node, a worker, and a browser in which staff are signed in. */
export type StaffSite = {
  node: TestNode
  browser: TestBrowser
  stores: TestStores
  /** The owner's session. */
  owner: TestSession
  /** Makes an account of an agent and signs in with it. */
  hire: (displayName: string) => Promise<TestSession>
  submit: (lead?: TestLead) => Promise<Lead>
  /** A visitor starts a chat, sends a message and leaves; returns the session's id once the view of chats has it. */
  chat: (visitor: { name: string; email: string }, message: string) => Promise<string>
  call: (method: string, path: string, body?: unknown, as?: TestSession) => Promise<Response>
  /** A page in a browser context of its own, signed in; its clock is stopped at `now` if that is given. */
  open: (path: string, options?: BrowserContextOptions & { as?: TestSession; now?: string }) => Promise<Page>
  stop: () => Promise<void>
}

const sessionOf = (response: Response): TestSession => ({
  cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
})

const chatAt = async ({ url }: TestNode, { name, email }: { name: string; email: string }, message: string) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { origin: url } })
  const said = Promise.withResolvers<string>()
  const send = (frame: ClientFrame) => socket.send(JSON.stringify(frame))
  let sessionId = ''
  socket.on('error', said.reject)
  socket.on('open', () => send({ type: 'join_chat', visitorName: name, visitorEmail: email, pageUrl: url }))
  socket.on('message', (data) => {
    const frame: ServerFrame = JSON.parse(data.toString())
    if (frame.type === 'chat_joined') {
      sessionId = frame.sessionId
      send({ type: 'send_message', sessionId, message, clientMessageId: crypto.randomUUID() })
    }
    if (frame.type === 'message_accepted') said.resolve(sessionId)
    if (frame.type === 'error') said.reject(new Error(frame.message))
  })
  try {
    return await said.promise
  } finally {
    socket.terminate()
  }
}

/** Opens the menu of the account: it is at the foot of the side bar, in a small window behind `More`. */
export const openAccountMenu = (page: Page) =>
  page
    .getByRole('button', { name: /^Account: / })
    .or(page.getByRole('button', { name: 'More', exact: true }))
    .filter({ visible: true })
    .click()

export const signOutOn = async (page: Page) => {
  await openAccountMenu(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
}

/**
 * Starts the staff pages for one test file; leads with an `at` of their own are added at the start, and `env` is the
 * environment of node and worker.
 */
export const startStaffSite = async (
  leads: readonly TestLead[] = [],
  env: Record<string, string> = {},
): Promise<StaffSite> => {
  await buildWebIfStale(resolve('.'))
  const { node, sql, startWorker, stop, stores } = await openTestProduct({ worker: 'never', env })
  const owner = sessionOf(await node.post('/api/login', STAFF))
  let people = 0

  const call: StaffSite['call'] = async (method, path, body, as = owner) =>
    node.call(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...as },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  const submit = async ({ at, ...form }: TestLead = {}): Promise<Lead> => {
    people += 1
    const person = { name: 'Ana Botha', email: `ana${people}@example.com`, phone: `082 700 ${1000 + people}` }
    const response = await node.post('/api/leads', { ...person, leadSource: 'hero_form', ...form })
    const lead: Lead = await response.json()
    if (response.status !== 201) throw new Error(`A lead was refused: ${JSON.stringify(lead)}`)
    if (at) await sql`update events set recorded_at = ${at} where stream = ${leadStreams.of(lead.id)}`
    return lead
  }

  for (const lead of leads) await submit(lead)
  // Only now: events that the view has processed keep their time.
  const [browser] = await Promise.all([openTestBrowser(), startWorker()])
  await eventually(async () => {
    const summary = await call('GET', '/api/leads/summary')
    if (!summary.ok) throw new Error(`The view answers ${summary.status}`)
    const { total } = await summary.json()
    if (total < leads.length) throw new Error(`The view has ${total} leads`)
  })

  return {
    node,
    browser,
    stores,
    owner,
    call,
    submit,
    chat: async (visitor, message) => {
      const id = await chatAt(node, visitor, message)
      await eventually(async () => {
        const active = await (await call('GET', '/api/chats?state=active')).text()
        if (!active.includes(id)) throw new Error(`The view of chats has no ${id}`)
      })
      return id
    },
    hire: async (displayName) => {
      const username = displayName.toLowerCase().replace(/\W/g, '')
      const made = await call('POST', '/api/accounts', { username, displayName, password: PASSWORD, role: 'agent' })
      if (!made.ok) throw new Error(`No account was made: ${await made.text()}`)
      return sessionOf(await node.post('/api/login', { username, password: PASSWORD }))
    },
    open: async (path, { as = owner, now, ...options } = {}) => {
      const context = await browser.newContext({
        viewport: DESKTOP,
        baseURL: node.url,
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      })
      const [name = '', value = ''] = as.cookie.split(/=(.*)/s)
      await context.addCookies([{ name, value, url: node.url }])
      const page = await context.newPage()
      if (now) await stopClock(page, new Date(now))
      await page.goto(path)
      return page
    },
    stop: async () => {
      await browser.close()
      await stop()
    },
  }
}

/** axe's findings on a page in its current state, and whether it can be scrolled sideways. */
export const faultsOf = async (page: Page): Promise<string[]> => {
  const faults = await violationsIn(page)
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return beyond > 0 ? [...faults, `scrolls sideways by ${beyond} px`] : faults
}
