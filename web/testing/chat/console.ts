import { once } from 'node:events'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import type { ClientFrame } from '../../../events/chat/client-frames.ts'
import type { ServerFrame } from '../../../events/chat/server-frames.ts'
import { eventually, STAFF } from '../../../events/testing/node.ts'
import type { PageOptions, TestSite } from './site.ts'
import { canSend } from './widget.ts'

/** A colleague of the first staff member. */
export const SIPHO = { username: 'sipho', displayName: 'Sipho', password: 'another long password', role: 'agent' }

/** The headers of an API request by a staff member; an owner unless another is named. */
export const signedIn = async (
  { nodes: [node], url }: TestSite,
  { username, password }: { username: string; password: string } = STAFF,
) => {
  const response = await node.post('/api/login', { username, password }, { origin: url })
  if (!response.ok) throw new Error(`Signing in answered ${response.status}`)
  return { origin: url, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/** Makes an account, and returns its id. */
export const addColleague = async (site: TestSite, account: typeof SIPHO): Promise<string> => {
  const made = await site.nodes[0].post('/api/accounts', account, await signedIn(site))
  if (!made.ok) throw new Error(`The account was not made: ${made.status}: ${await made.text()}`)
  return (await made.json()).id
}

/** Removes an account. */
export const removeColleague = async (site: TestSite, id: string) => {
  const removed = await site.nodes[0].call(`/api/accounts/${id}`, { method: 'DELETE', headers: await signedIn(site) })
  if (!removed.ok) throw new Error(`The account was not removed: ${removed.status}`)
}

/** Makes an account for Sipho. */
export const addSipho = (site: TestSite) => addColleague(site, SIPHO)

/** A staff console in a browser context of its own; signed in by the API, connected. */
export const openConsolePage = async (
  site: TestSite,
  who: { username: string; password: string } = STAFF,
  { path = '/admin-chat', prepare, ...options }: Pick<PageOptions, 'path' | 'viewport' | 'prepare'> = {},
) => {
  const { cookie } = await signedIn(site, who)
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  const page = await site.openPage({
    path,
    ...options,
    prepare: async (opened) => {
      await opened.context().addCookies([{ name, value, url: site.url }])
      await prepare?.(opened)
    },
  })
  await page.getByText('Connected', { exact: true }).waitFor()
  return page
}

/** A visitor who chats without a page, at a fraction of the cost. */
export type PagelessVisitor = {
  sessionId: string
  resumeToken: string
  say: (message: string, more?: { fileId?: string }) => Promise<void>
  close: () => void
}

type VisitorOptions = { email?: string; said?: readonly string[] }

/** Starts a chat by the socket alone, and sends a message in it. */
export const joinVisitor = async (
  { nodes: [node], url }: TestSite,
  visitorName: string,
  { email, said = [] }: VisitorOptions = {},
): Promise<PagelessVisitor> => {
  const socket = new WebSocket(`${node.url.replace('http', 'ws')}/ws`, { headers: { origin: url } })
  const frames: ServerFrame[] = []
  socket.on('message', (data) => frames.push(JSON.parse(data.toString())))
  socket.on('error', () => {})
  await once(socket, 'open')
  const send = (frame: ClientFrame) => socket.send(JSON.stringify(frame))
  const find = <Found>(look: (frame: ServerFrame) => Found | undefined): Promise<Found> =>
    eventually(() => frames.map(look).find((found) => found !== undefined) ?? expect.fail('It has not come'))
  send({ type: 'join_chat', visitorName, ...(email && { visitorEmail: email }), pageUrl: url })
  const { sessionId, resumeToken } = await find((frame) => (frame.type === 'chat_joined' ? frame : undefined))
  const visitor: PagelessVisitor = {
    sessionId,
    resumeToken,
    say: async (message, more = {}) => {
      const clientMessageId = crypto.randomUUID()
      send({ type: 'send_message', sessionId, message, clientMessageId, ...more })
      await find((frame) =>
        frame.type === 'message_accepted' && frame.clientMessageId === clientMessageId ? frame : undefined,
      )
    },
    close: () => socket.terminate(),
  }
  for (const message of said) await visitor.say(message)
  return visitor
}

/**
 * A visitor's page with a started chat. `sent` is the address sent to the server, as from an earlier version of the
 * page.
 */
export const startChat = async (
  site: TestSite,
  name: string,
  { email = '', sent, ...options }: { email?: string; sent?: string } & Pick<PageOptions, 'path' | 'viewport'> = {},
) => {
  const page = await site.openPage(options)
  if (sent !== undefined) {
    await page.routeWebSocket('**/ws', (socket) => {
      const server = socket.connectToServer()
      socket.onMessage((frame) => server.send(String(frame).replace(JSON.stringify(email), JSON.stringify(sent))))
    })
  }
  await page.getByRole('button', { name: 'Open chat' }).click()
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Email or phone (optional)').fill(email)
  await page.getByRole('button', { name: 'Start Chat' }).click()
  await page.getByText('Thanks for reaching out!').waitFor()
  return page
}

/** Sends a message as a visitor, and waits until it is sent. */
export const say = async (visitor: Page, message: string) => {
  await visitor.getByPlaceholder('Type your message...').fill(message)
  await canSend(visitor)
  await visitor.keyboard.press('Enter')
  await bubbleOf(visitor, message)
    .getByText(/Sent|Delivered|Seen/)
    .waitFor()
}

export const entryOf = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
export const paneOf = (page: Page) => page.getByRole('region', { name: 'Conversation' })
export const boxOf = (page: Page) => page.getByPlaceholder('Type your response...')
export const bubbleOf = (page: Page, message: string) =>
  page.getByRole('log').getByRole('listitem').filter({ hasText: message })

/** Waits until the element has the focus. */
export const isFocused = (page: Page, selector: string) =>
  eventually(async () =>
    expect(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))).toBe(
      await page.locator(selector).evaluate((element) => element.outerHTML.slice(0, 200)),
    ),
  )

/** The id of the session that the console shows. */
export const sessionIn = (page: Page) => new URL(page.url()).searchParams.get('session') ?? ''
