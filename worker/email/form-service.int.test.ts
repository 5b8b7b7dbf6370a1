import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../events/local/port.ts'
import {
  DELIVERED,
  json,
  openTestService,
  type Reply,
  type TestService,
  text,
} from '../../events/testing/email-service.ts'
import { sendEmail } from './form-service.ts'

const EMAIL = {
  subject: 'New contract: essential',
  fields: [
    ['name', 'Ana\r\nBcc: x@example.com'],
    ['message', 'line one\nline "two" 🙂'],
  ] as [string, string][],
  to: null,
  replyTo: null,
  about: null,
}
const PUBLIC_URL = 'https://www.agency.example/site'

let service: TestService
let silent: TestService
let timedOut: Promise<Awaited<ReturnType<typeof sendEmail>>>

const send = (url = service.url) => sendEmail({ url, publicUrl: PUBLIC_URL, copyTo: [] }, EMAIL)

beforeAll(async () => {
  service = await openTestService()
  silent = await openTestService()
  silent.reply(() => {})
  timedOut = send(silent.url) // 10 s, next to the others
})

beforeEach(() => {
  service.reply(DELIVERED)
  service.submissions.length = 0
})

afterAll(() => Promise.all([service.close(), silent.close()]))

describe('a submission', () => {
  test('presents the website, and asks for JSON', async () => {
    await send()
    expect(service.submissions[0]?.headers).toMatchObject({
      accept: 'application/json',
      origin: 'https://www.agency.example',
      referer: 'https://www.agency.example/site/',
      'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/),
    })
  })

  test('holds the fields and the instructions to the service', async () => {
    await sendEmail(
      { url: service.url, publicUrl: PUBLIC_URL, copyTo: ['copy@agency.example', 'more@agency.example'] },
      EMAIL,
    )
    expect(service.submissions[0]?.fields).toEqual([
      ['name', 'Ana\r\nBcc: x@example.com'],
      ['message', 'line one\r\nline "two" 🙂'],
      ['_subject', 'New contract: essential'],
      ['_template', 'table'],
      ['_captcha', 'false'],
      ['_next', 'https://www.agency.example/site/thanks'],
      ['_cc', 'copy@agency.example,more@agency.example'],
    ])
  })
})

describe('a response', () => {
  test.each<[string, Reply, string]>([
    ['success as a text', json({ success: 'true' }), 'delivered'],
    ['success as a boolean', json({ success: true }), 'delivered'],
    ['failure inside 200', json({ success: 'false', message: 'Invalid email' }), 'rejected'],
    ['failure as a boolean', json({ success: false }), 'rejected'],
    ['no word of success', json({ message: 'Thanks' }), 'rejected'],
    ['success of another kind', json({ success: 1 }), 'rejected'],
    ['success with status 400', json({ success: 'true' }, 400), 'rejected'],
    [
      'a demand for activation',
      json({ success: 'false', message: 'This form needs Activation. We have sent you an email.' }),
      'needs_activation',
    ],
    ['429', json({ success: 'false' }, 429), 'busy'],
    ['403', json({ success: 'false', message: 'forbidden' }, 403), 'blocked'],
    ['an HTML page', text('<!DOCTYPE html><title>Just a moment</title>'), 'blocked'],
    ['an HTML page with an error', text('<html><body>no</body></html>', 404), 'blocked'],
    ['500', json({ success: 'true' }, 500), 'busy'],
    ['503 in HTML', text('<html>maintenance</html>', 503), 'busy'],
    ['a redirect', text('', 302, { location: 'https://elsewhere.example/' }), 'rejected'],
    ['garbage', text('\u0000\u0001 no idea'), 'rejected'],
    ['nothing', text(''), 'rejected'],
    ['JSON that is no object', json('true'), 'rejected'],
    ['null', json(null), 'rejected'],
  ])('with %s is classed', async (_, reply, kind) => {
    service.reply(reply)
    expect(await send()).toMatchObject({ kind })
    expect(service.submissions).toHaveLength(1)
  })

  test.each([
    ['7', 7_000],
    ['9'.repeat(30), 24 * 60 * 60 * 1000],
    ['0', undefined],
    ['soon', undefined],
  ])('sets the pause with Retry-After %s', async (value, retryAfterMs) => {
    service.reply(json({ success: 'false' }, 429, { 'retry-after': value }))
    expect((await send()).retryAfterMs).toBe(retryAfterMs)
  })

  test('sets the pause with a Retry-After date', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString()
    service.reply(json({ success: 'false' }, 503, { 'retry-after': date }))
    const { retryAfterMs = 0 } = await send()
    expect(retryAfterMs).toBeGreaterThan(50_000)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  test('of any size costs little: only the part that can matter is read', async () => {
    let written = 0
    service.reply((response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const write = () => {
        while (!response.destroyed && written < 200 * 1024 * 1024) {
          written += 64 * 1024
          if (!response.write('x'.repeat(64 * 1024))) {
            response.once('drain', write)
            return
          }
        }
        response.end()
      }
      write()
    })
    const { kind, answer } = await send()
    expect(kind).toBe('rejected')
    expect(answer.length).toBeLessThan(400)
    expect(written).toBeLessThan(20 * 1024 * 1024)
  })

  test.each<[string, Reply]>([
    ['that breaks off before it begins', (response) => response.destroy()],
    [
      'that breaks off in the middle',
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"success":')
        setTimeout(() => response.destroy(), 20)
      },
    ],
  ])('%s is unknown: it may have been sent', async (_, reply) => {
    service.reply(reply)
    expect(await send()).toMatchObject({ kind: 'unknown' })
  })

  test('that does not come, because no server is there, is busy: nothing can have been sent', async () => {
    expect(await send(`http://127.0.0.1:${await freePort()}/`)).toMatchObject({ kind: 'busy' })
  })

  test('that does not come within ten seconds is unknown', async () => {
    expect(await timedOut).toMatchObject({ kind: 'unknown' })
    expect(silent.submissions).toHaveLength(1)
  })
})
