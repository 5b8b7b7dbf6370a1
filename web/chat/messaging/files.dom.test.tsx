import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { MAX_FILE_BYTES } from '../../../events/chat/file.ts'
import { answerRequests, problem } from '../../testing/server.ts'
import { TestUpload } from '../../testing/uploads.ts'
import {
  button,
  chat,
  fill,
  input,
  log,
  openVisitorPage,
  press,
  start,
  type VisitorPage,
} from '../../testing/visitor-page.tsx'

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PDF = '%PDF-1.7 a plan of the house'

const png = (name: string) => new File([PNG], name)
const pdf = (name: string) => new File([PDF], name)

beforeEach(() => {
  TestUpload.install()
  Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => {} })
})

/** A page with a chat that takes files. */
const openChat = async () => {
  const page = await openVisitorPage()
  await start(page, 'Patient')
  return page
}

const attach = (...files: File[]) =>
  fireEvent.change(document.querySelector('input[type=file]') as Element, { target: { files } })

/** The upload that was requested last, once there are this many. */
const upload = async (count: number) => {
  await waitFor(() => expect(TestUpload.made).toHaveLength(count))
  return TestUpload.made[count - 1] as TestUpload
}

/** The server stores a file, and returns its new name. */
const store = async ({ server, later }: VisitorPage, made: TestUpload, as: { name: string; mediaType: string }) => {
  const file = { id: crypto.randomUUID(), size: 1_000, ...as }
  server.files.set(file.id, file)
  made.answer(201, file)
  await later(1)
}
const image = (name: string) => ({ name, mediaType: 'image/png' })
const document_ = (name: string) => ({ name, mediaType: 'application/pdf' })

const tray = () => screen.queryByRole('list', { name: 'Files to send' })
const inTray = () => within(screen.getByRole('list', { name: 'Files to send' }))

test('A file enters the chat under the name that the server gives it', async () => {
  const page = await openChat()
  attach(png('shop front.jpeg'))
  const made = await upload(1)
  const { sessionId, resumeToken } = page.server.chat
  expect([made.method, made.path]).toEqual(['POST', `/api/chat-files/${sessionId}`])
  expect(made.headers).toMatchObject({ authorization: `Bearer ${resumeToken}`, 'x-file-name': 'shop%20front.jpeg' })
  act(() => made.progress(0.5))
  expect(inTray().getByText('1 kB · 50%')).toBeTruthy()
  await store(page, made, image('shop front.png'))
  await log().findByRole('img', { name: 'shop front.png' })
  await log().findByText('Sent')
  expect(tray()).toBeNull()
  const [message] = page.server.sentOf('send_message')
  expect(message?.fileId).toBe([...page.server.files.keys()][0])
})

test('A file that is too large, or no image or PDF, is refused at once with the reason, and nothing is sent', async () => {
  const page = await openChat()
  const film = new File([PDF, new Uint8Array(MAX_FILE_BYTES)], 'film.pdf')
  attach(new File(['<!doctype html>'], 'page.html'), film)
  await screen.findByText(/^Not sent\. You can send images \(PNG, JPEG, WebP, GIF\) and PDF files/)
  expect(inTray().getByText('Not sent. It is larger than 5 MB, the most that a chat takes.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Try again/ })).toBeNull()
  for (const name of ['page.html', 'film.pdf']) {
    button(`Remove ${name}`).focus()
    await page.user.keyboard('{Enter}')
  }
  expect(tray()).toBeNull()
  expect(document.activeElement).toBe(button('Attach a file'))
  expect(TestUpload.made).toEqual([])
  expect(log().getAllByRole('listitem')).toHaveLength(1)
})

test('Files are sent one after the other; a busy server is asked again, a cancelled file is not sent', async () => {
  const page = await openChat()
  attach(png('one.png'), pdf('two.pdf'), pdf('three.pdf'))
  const busy = await upload(1)
  busy.answer(429, { detail: 'A file is being sent already.' }, { 'retry-after': '1' })
  await page.later(2_000)
  await store(page, await upload(2), image('one.png'))
  await log().findByRole('img', { name: 'one.png' })
  const cancelled = await upload(3)
  expect(inTray().getByText('1 kB · waiting')).toBeTruthy()
  await press(page, 'Cancel two.pdf')
  expect(cancelled.isAborted).toBe(true)
  await store(page, await upload(4), document_('three.pdf'))
  await log().findByRole('button', { name: /^three\.pdf/ })
  expect(log().queryByRole('button', { name: /^two\.pdf/ })).toBeNull()
  expect(tray()).toBeNull()
})

test('A file whose connection breaks off stays with the reason, and is sent on retry', async () => {
  const page = await openChat()
  attach(png('front.png'))
  const broken = await upload(1)
  broken.fail()
  await page.later(1)
  expect(inTray().getByText('Not sent. The connection broke off.')).toBeTruthy()
  await press(page, 'Try again: front.png')
  await store(page, await upload(2), image('front.png'))
  await log().findByRole('img', { name: 'front.png' })
  expect(tray()).toBeNull()
})

test('A picture is pasted, and a file is dropped, and the draft stays unchanged', async () => {
  const page = await openChat()
  await fill(page, input(), 'Here is what I mean')
  fireEvent.paste(input(), { clipboardData: { files: [png('image.png')] } })
  await store(page, await upload(1), image('image.png'))
  await log().findByRole('img', { name: 'image.png' })
  const dataTransfer = { types: ['Files'], files: [pdf('plan.pdf')] }
  fireEvent.dragOver(input(), { dataTransfer })
  expect(chat().getByText('Drop to send')).toBeTruthy()
  fireEvent.drop(input(), { dataTransfer })
  expect(chat().queryByText('Drop to send')).toBeNull()
  await store(page, await upload(2), document_('plan.pdf'))
  await log().findByRole('button', { name: /^plan\.pdf/ })
  expect(input().value).toBe('Here is what I mean')
})

test('A file is saved under its name; one that no longer exists says so', async () => {
  const page = await openChat()
  const { sessionId } = page.server.chat
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const plan = { id: 'plan', size: 900, ...document_('plan.pdf') }
  page.server.say('Plan', page.server.chat, { file: plan })
  answerRequests({ [`GET /api/chat-files/${sessionId}/plan`]: new Response(PDF) })
  await press(page, 'plan.pdf Save · 1 kB')
  await waitFor(() => expect(saved.mock.contexts).toMatchObject([{ download: 'plan.pdf', href: 'blob:picture' }]))
  page.server.say('Other', page.server.chat, { file: { ...plan, id: 'other', name: 'other.pdf' } })
  answerRequests({ [`GET /api/chat-files/${sessionId}/other`]: problem(404) })
  await press(page, /^other\.pdf/)
  await log().findByText('This file is no longer stored.')
  expect(saved).toHaveBeenCalledTimes(1)
})
