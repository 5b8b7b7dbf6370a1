import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../events/chat-file.ts'
import { violationsIn } from '../test-axe.ts'
import { boxOf, openConsolePage, say, startChat } from './test-console.ts'
import { openTestSite, type TestSite } from './test-site.ts'
import { button, chatOf, inputOf, logOf, seriousOf } from './test-widget.ts'

const PNG = readFileSync('web/public/icon-192.png')
const PDF = Buffer.from('%PDF-1.7 a plan of the house')
const UPLOADS = '**/api/chat-files/*'

let site: TestSite
let staff: Page

beforeAll(async () => {
  site = await openTestSite()
  staff = await openConsolePage(site)
})

afterAll(() => site.close())

/** A visitor's page with a chat, closed when the test ends. */
const visit = async (name: string, options: Parameters<typeof startChat>[2] = {}) => {
  const page = await startChat(site, name, options)
  onTestFinished(() => page.context().close())
  return page
}

const fileOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })

/** Chooses files as somebody would, once files can be sent. */
const attach = async (page: Page, ...files: ReturnType<typeof fileOf>[]) => {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Attach a file').click()])
  await chooser.setFiles(files)
}

const trayOf = (page: Page) => page.getByRole('list', { name: 'Files to send' })

/** Pastes or drops a file where the focus would be. */
const bring = (page: Page, event: 'paste' | 'drop' | 'dragover', name: string, bytes: Buffer) =>
  inputOf(page)
    .or(boxOf(page))
    .evaluate(
      (input, [kind, title, text]) => {
        const data = new DataTransfer()
        data.items.add(new File([Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))], title))
        const options = { bubbles: true, cancelable: true }
        const made =
          kind === 'paste'
            ? new ClipboardEvent(kind, { ...options, clipboardData: data })
            : new DragEvent(kind, { ...options, dataTransfer: data })
        input.dispatchEvent(made)
      },
      [event, name, bytes.toString('base64')] as const,
    )

const savedFrom = async (page: Page, name: RegExp) => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
  return { name: download.suggestedFilename(), content: readFileSync(await download.path()) }
}

test.each([
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
])('at $width px a visitor sends an image and gets a PDF, each of which the other can save', async (viewport) => {
  const { width } = viewport
  const name = `Files ${width}`
  const page = await visit(name, { viewport })
  await attach(page, fileOf('shop front.jpeg', PNG))
  const image = logOf(page).getByRole('img', { name: 'shop front.png' })
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(192)
  await logOf(page)
    .getByText(/^(Sent|Delivered|Seen)$/)
    .waitFor()
  expect(await trayOf(page).count()).toBe(0)
  await staff.setViewportSize(viewport)
  await staff.goto('/admin-chat')
  await staff.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await staff.getByRole('log').getByRole('img', { name: 'shop front.png' }).waitFor()
  expect(await savedFrom(staff, /^shop front\.png/)).toEqual({ name: 'shop front.png', content: PNG })
  await attach(staff, fileOf('A plan of the house, with a rather long name, the third version of it.pdf', PDF))
  const plan = 'A plan of the house, with a rather long name, the third version of it.pdf'
  await logOf(page)
    .getByRole('button', { name: `${plan} Save · 1 kB` })
    .waitFor()
  expect(await savedFrom(page, /^A plan of/)).toEqual({ name: plan, content: PDF })
  expect(await seriousOf(page)).toEqual([])
  expect(await violationsIn(staff, 'main')).toEqual([])
  await page.reload()
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(192)
})

test('what is too large, or no image or PDF, is refused at once with the reason, and nothing is sent', async () => {
  for (const width of [390, 1440]) {
    const page = await visit(`Refused ${width}`, { viewport: { width, height: 800 } })
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/chat-files/') && asked.push(request.url()))
    const film = fileOf('film.pdf', Buffer.concat([PDF, Buffer.alloc(MAX_FILE_BYTES)]))
    await attach(page, fileOf('page.html', Buffer.from('<!doctype html>')), film)
    await trayOf(page).getByText('Not sent. You can send images (PNG, JPEG, WebP, GIF) and PDF files').waitFor()
    await trayOf(page).getByText('Not sent. It is larger than 5 MB, the most that a chat takes.').waitFor()
    expect(await page.getByRole('button', { name: /^Try again/ }).count()).toBe(0)
    expect(await seriousOf(page)).toEqual([])
    for (const name of ['page.html', 'film.pdf']) await button(page, `Remove ${name}`).press('Enter')
    await trayOf(page).waitFor({ state: 'detached' })
    expect(await button(page, 'Attach a file').evaluate((element) => element === document.activeElement)).toBe(true)
    expect(asked).toEqual([])
    expect(await logOf(page).getByRole('listitem').count()).toBe(1)
  }
})

test('files go one after the other; a busy server is asked again, one that is cancelled goes no further', async () => {
  const page = await visit('Patient', { viewport: { width: 390, height: 800 } })
  const held = Promise.withResolvers<void>()
  let tries = 0
  await page.route(UPLOADS, async (route) => {
    tries += 1
    if (tries === 1) {
      const headers = { 'retry-after': '1', 'content-type': 'application/problem+json' }
      return await route.fulfill({ status: 429, headers, body: '{"detail":"A file is being sent already."}' })
    }
    if (tries === 3) await held.promise
    await route.continue().catch(() => {})
  })
  await attach(page, fileOf('one.png', PNG), fileOf('two.pdf', PDF), fileOf('three.pdf', PDF))
  await logOf(page).getByRole('img', { name: 'one.png' }).waitFor()
  await expect.poll(() => tries).toBe(3)
  await trayOf(page).getByText('1 kB · waiting').waitFor()
  expect(await seriousOf(page)).toEqual([])
  await button(page, 'Cancel two.pdf').click()
  held.resolve()
  await logOf(page)
    .getByRole('button', { name: /^three\.pdf/ })
    .waitFor()
  expect(
    await logOf(page)
      .getByRole('button', { name: /^two\.pdf/ })
      .count(),
  ).toBe(0)
  expect(await trayOf(page).count()).toBe(0)
})

test('a file whose connection breaks off stays with the reason, and goes when it is tried again', async () => {
  for (const width of [390, 1440]) {
    const page = await visit(`Tunnel ${width}`, { viewport: { width, height: 800 } })
    await page.route(UPLOADS, (route) => route.abort(), { times: 1 })
    await attach(page, fileOf('front.png', PNG))
    await trayOf(page).getByText('Not sent. The connection broke off.').waitFor()
    expect(await seriousOf(page)).toEqual([])
    await button(page, 'Try again: front.png').click()
    await logOf(page).getByRole('img', { name: 'front.png' }).waitFor()
    await trayOf(page).waitFor({ state: 'detached' })
  }
})

test('a picture is pasted, and a file is dropped, with what is being written left as it is', async () => {
  const page = await visit('Hands', { viewport: { width: 1440, height: 900 } })
  await inputOf(page).fill('Here is what I mean')
  await bring(page, 'paste', 'image.png', PNG)
  await logOf(page).getByRole('img', { name: 'image.png' }).waitFor()
  await bring(page, 'dragover', 'plan.pdf', PDF)
  await chatOf(page).getByText('Drop to send').waitFor()
  await bring(page, 'drop', 'plan.pdf', PDF)
  await logOf(page)
    .getByRole('button', { name: /^plan\.pdf/ })
    .waitFor()
  expect(await chatOf(page).getByText('Drop to send').count()).toBe(0)
  expect(await inputOf(page).inputValue()).toBe('Here is what I mean')
  await staff.goto('/admin-chat')
  await staff.getByRole('button', { name: /^Hands/ }).click()
  await bring(staff, 'paste', 'answer.png', PNG)
  await logOf(page).getByRole('img', { name: 'answer.png' }).waitFor()
})

test('a file that is no longer kept says so', async () => {
  const page = await visit('Late')
  await page.route('**/api/chat-files/*/*', (route) =>
    route.fulfill({ status: 404, headers: { 'content-type': 'application/problem+json' }, body: '{}' }),
  )
  await staff.goto('/admin-chat')
  await staff.getByRole('button', { name: /^Late/ }).click()
  await attach(staff, fileOf('plan.pdf', PDF))
  await logOf(page)
    .getByRole('button', { name: /^plan\.pdf/ })
    .click()
  await logOf(page).getByText('This file is no longer kept.').waitFor()
})

test('beside a node of before nothing is offered, and what waits is sent once there is one that takes files', async () => {
  const page = await site.openPage()
  onTestFinished(() => page.context().close())
  let isOld = true
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((data) => socket.send(isOld ? String(data).replaceAll(',"takesFiles":true', '') : data))
  })
  await page.reload()
  await button(page, 'Open chat').click()
  await page.getByLabel('Your name').fill('Early')
  await button(page, 'Start Chat').click()
  await say(page, 'hello')
  expect(await button(page, 'Attach a file').count()).toBe(0)
  isOld = false
  await page.reload()
  await button(page, 'Attach a file').waitFor()
  await attach(page, fileOf('plan.pdf', PDF))
  await logOf(page)
    .getByRole('button', { name: /^plan\.pdf/ })
    .waitFor()
})
