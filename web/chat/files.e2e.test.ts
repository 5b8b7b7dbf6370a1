import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../events/chat-file.ts'
import { eventually } from '../../events/local/test-node.ts'
import { violationsIn } from '../test-axe.ts'
import { openConsolePage, startChat } from './test-console.ts'
import { openTestSite, type TestSite } from './test-site.ts'
import { button, chatOf, logOf, seriousOf } from './test-widget.ts'

const PNG = readFileSync('web/public/icon-192.png')
const PDF = Buffer.from('%PDF-1.7 a plan of the house')

let site: TestSite
let staff: Page

beforeAll(async () => {
  site = await openTestSite()
  staff = await openConsolePage(site)
})

afterAll(() => site.close())

/** Chooses a file as somebody would, once files can be sent. */
const attach = async (page: Page, name: string, buffer: Buffer) => {
  await eventually(async () => expect(await button(page, 'Send a file').isEnabled()).toBe(true))
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Send a file').click()])
  await chooser.setFiles({ name, mimeType: 'application/octet-stream', buffer })
}

const savedFrom = async (page: Page, name: RegExp) => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
  return { name: download.suggestedFilename(), content: readFileSync(await download.path()) }
}

test.each([
  { width: 360, height: 640 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
])('at $width px a visitor sends an image and gets a PDF, each of which the other can save', async (viewport) => {
  const name = `Files ${viewport.width}`
  const page = await startChat(site, name, { viewport })
  await attach(page, 'shop front.png', PNG)
  const image = logOf(page).getByRole('img', { name: 'shop front.png' })
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(192)
  await logOf(page)
    .getByText(/^(Sent|Delivered|Seen)$/)
    .waitFor()
  expect(await seriousOf(page)).toEqual([])
  await staff.getByRole('button', { name: new RegExp(name) }).click()
  expect(await savedFrom(staff, /^Save shop front\.png/)).toEqual({ name: 'shop front.png', content: PNG })
  expect(await violationsIn(staff, 'main')).toEqual([])
  await attach(staff, 'plan.pdf', PDF)
  await logOf(page).getByRole('button', { name: 'Save plan.pdf, 1 kB' }).waitFor()
  expect(await savedFrom(page, /^Save plan\.pdf/)).toEqual({ name: 'plan.pdf', content: PDF })
  expect(await seriousOf(page)).toEqual([])
  await page.context().close()
})

test('what is too large, or no image or PDF, is refused with the reason, and nothing is sent', async () => {
  const page = await startChat(site, 'Refused file')
  await attach(page, 'page.html', Buffer.from('<!doctype html>'))
  await chatOf(page).getByText('page.html was not sent: You can send images').waitFor()
  expect(await seriousOf(page)).toEqual([])
  await attach(page, 'film.pdf', Buffer.concat([PDF, Buffer.alloc(MAX_FILE_BYTES)]))
  await chatOf(page).getByText('film.pdf was not sent: A file may have up to 5 MB.').waitFor()
  expect(await logOf(page).getByRole('listitem').count()).toBe(1)
  await page.context().close()
})
