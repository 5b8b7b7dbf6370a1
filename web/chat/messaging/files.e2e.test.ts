import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../testing/axe.ts'
import { boxOf, entryOf, paneOf } from '../../testing/chat/console.ts'
import { GREETED, GREETING, setGreeting } from '../../testing/chat/greeting.ts'
import { openTestSite, type TestSite } from '../../testing/chat/site.ts'
import { openStaffPage } from '../../testing/chat/staff.ts'
import { button, chatOf, inputOf, isSent, logOf, seriousOf, textsOf } from '../../testing/chat/widget.ts'

const PNG = readFileSync('web/public/icon-192.png')
const PDF = Buffer.from('%PDF-1.7 a plan of the house')
const PLAN = 'A plan of the house, with a rather long name, the third version of it.pdf'
const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
]

let site: TestSite

beforeAll(async () => {
  site = await openTestSite()
  await setGreeting(site)
})

afterAll(() => site?.close())

const fileOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })

/** Chooses files like a visitor, once files can be sent. */
const attach = async (page: Page, ...files: ReturnType<typeof fileOf>[]) => {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Attach a file').click()])
  await chooser.setFiles(files)
}

/** Pastes or drops a file at the focus. */
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

/** Checks a page at each width; the last one is a phone's. */
const atEachWidth = async (page: Page, look: () => Promise<void>) => {
  for (const viewport of WINDOWS) {
    await page.setViewportSize(viewport)
    await look()
  }
}

test('A visitor replies to the greeting; they and staff send each other files; the visitor rates the chat in the end', async () => {
  const visitor = await site.openPage({ path: GREETED, viewport: { width: 390, height: 844 } })
  await visitor.getByRole('complementary', { name: 'Message from our team' }).getByText(GREETING).click()
  await visitor.getByLabel('How can we help?').fill('Yes, I need a webshop')
  await visitor.getByLabel('Your name').fill('Zola')
  await button(visitor, 'Start Chat').click()
  await isSent(visitor, 'Yes, I need a webshop')
  const said = [GREETING, expect.stringContaining('Thanks for reaching out!'), 'Yes, I need a webshop']
  expect(await textsOf(visitor)).toEqual(said)

  const staff = await openStaffPage(site, '/admin-chat')
  await entryOf(staff, 'Zola').click()
  const log = staff.getByRole('log', { name: 'Messages with Zola' })
  await log.getByText(`Asked by the site: ${GREETING}`).waitFor()

  await attach(visitor, fileOf('shop front.jpeg', PNG))
  const image = logOf(visitor).getByRole('img', { name: 'shop front.png' })
  const isShown = () => expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(192)
  await isShown()
  await log.getByRole('img', { name: 'shop front.png' }).waitFor()
  expect(await savedFrom(staff, /^shop front\.png/)).toEqual({ name: 'shop front.png', content: PNG })
  await attach(staff, fileOf(PLAN, PDF))
  const plan = logOf(visitor).getByRole('button', { name: `${PLAN} Save · 1 kB` })
  await plan.waitFor()
  expect(await savedFrom(visitor, /^A plan of/)).toEqual({ name: PLAN, content: PDF })

  // with a failed file in the tray
  await attach(visitor, fileOf('page.html', Buffer.from('<!doctype html>')))
  await visitor.getByRole('list', { name: 'Files to send' }).getByText('Not sent. You can send images').waitFor()
  await atEachWidth(visitor, async () => {
    for (const part of [plan, button(visitor, 'Remove page.html'), button(visitor, 'Attach a file')]) {
      const [box, frame] = await Promise.all([part.boundingBox(), chatOf(visitor).boundingBox()])
      expect(box?.x).toBeGreaterThanOrEqual(frame?.x ?? 0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0))
    }
  })
  expect(await seriousOf(visitor)).toEqual([])
  await button(visitor, 'Remove page.html').press('Enter')
  expect(await button(visitor, 'Attach a file').evaluate((element) => element === document.activeElement)).toBe(true)
  await atEachWidth(staff, async () => {
    await log.getByRole('img', { name: 'shop front.png' }).waitFor()
    await button(staff, 'Attach a file').waitFor()
    expect(await staff.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  })
  expect(await violationsIn(staff, 'main')).toEqual([])

  await inputOf(visitor).fill('Here is what I mean')
  await bring(visitor, 'paste', 'image.png', PNG)
  await logOf(visitor).getByRole('img', { name: 'image.png' }).waitFor()
  await bring(visitor, 'dragover', 'drawing.pdf', PDF)
  await chatOf(visitor).getByText('Drop to send').waitFor()
  await bring(visitor, 'drop', 'drawing.pdf', PDF)
  await logOf(visitor)
    .getByRole('button', { name: /^drawing\.pdf/ })
    .waitFor()
  expect(await inputOf(visitor).inputValue()).toBe('Here is what I mean')
  await bring(staff, 'paste', 'answer.png', PNG)
  await logOf(visitor).getByRole('img', { name: 'answer.png' }).waitFor()
  await visitor.reload()
  await isShown()
  expect((await textsOf(visitor)).slice(0, 3)).toEqual(said)

  await staff.setViewportSize({ width: 1440, height: 900 })
  await staff.getByRole('button', { name: 'End chat' }).click()
  await staff.getByRole('dialog').getByRole('button', { name: 'End chat' }).click()
  await button(visitor, 'Good').click()
  await visitor.getByLabel('Anything to add? (optional)').fill('Quick and clear')
  expect(await seriousOf(visitor)).toEqual([])
  await visitor.getByText('Thank you for your rating.').waitFor()
  await button(visitor, 'Send').click()
  const pane = paneOf(staff)
  await pane.getByText('Rated good').waitFor()
  await pane.getByText('Quick and clear').waitFor()
  expect(await violationsIn(staff)).toEqual([])
  await staff.getByRole('button', { name: 'Ended' }).click()
  await entryOf(staff, 'Zola').getByText('Rated good').waitFor()
  await Promise.all([visitor, staff].map((page) => page.context().close()))
})
