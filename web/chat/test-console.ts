import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { eventually, STAFF } from '../../events/testing/node.ts'
import type { PageOptions, TestSite } from './test-site.ts'
import { canSend } from './test-widget.ts'

/** Somebody who works beside the first member of staff. */
export const SIPHO = { username: 'sipho', displayName: 'Sipho', password: 'another long password', role: 'agent' }

/** What the first member of staff, an owner, does by the API. */
const asOwner = async ({ nodes: [node], url }: TestSite) => {
  const response = await node.post('/api/login', STAFF, { origin: url })
  return { origin: url, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/** Makes an account, and answers its id. */
export const addColleague = async (site: TestSite, account: typeof SIPHO): Promise<string> => {
  const made = await site.nodes[0].post('/api/accounts', account, await asOwner(site))
  if (!made.ok) throw new Error(`The account was not made: ${made.status}: ${await made.text()}`)
  return (await made.json()).id
}

/** Removes an account. */
export const removeColleague = async (site: TestSite, id: string) => {
  const removed = await site.nodes[0].call(`/api/accounts/${id}`, { method: 'DELETE', headers: await asOwner(site) })
  if (!removed.ok) throw new Error(`The account was not removed: ${removed.status}`)
}

/** Makes an account for Sipho. */
export const addSipho = (site: TestSite) => addColleague(site, SIPHO)

/** A staff console in a browser of its own; signed in, connected. */
export const openConsolePage = async (
  site: TestSite,
  who: { username: string; password: string } = STAFF,
  { path = '/admin-chat', ...options }: Pick<PageOptions, 'path' | 'viewport' | 'prepare'> = {},
) => {
  const page = await site.openPage({ path, ...options })
  await page.getByLabel(/username/i).fill(who.username)
  await page.getByLabel(/password/i).fill(who.password)
  await page.keyboard.press('Enter')
  await page.getByText('Connected', { exact: true }).waitFor()
  return page
}

/** A visitor's page with a chat that has started. `sent` goes to the server as the address, as from a page of before. */
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
  await page.getByLabel('Email (optional)').fill(email)
  await page.getByRole('button', { name: 'Start Chat' }).click()
  await page.getByText('Thanks for reaching out!').waitFor()
  return page
}

/** Says something as a visitor, and waits until it is sent. */
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
