import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Email } from '../../events/email/email.ts'
import { freePort } from '../../events/local/port.ts'
import { openSilentServer, openTestSmtp, type TestSmtp } from '../../events/testing/smtp.ts'
import { sendBySmtp } from './smtp.ts'

const LETTER: Email = {
  subject: 'Your chat with Karoo Web Studio',
  fields: [['message', 'Hello Thandi,\n\nthank you 🙂']],
  to: 'thandi@example.co.za',
  replyTo: null,
  about: 'Thandi',
}
const FORM: Email = {
  subject: 'New contract: essential',
  fields: [
    ['name', 'Ana Botha'],
    ['message', 'two\nlines'],
  ],
  to: null,
  replyTo: { name: 'Ana Botha', address: 'ana@example.com' },
  about: 'Botha Bakery',
}
const FROM = { name: 'Karoo Web Studio', address: 'site@agency.example' }

let server: TestSmtp
let silent: Awaited<ReturnType<typeof openSilentServer>>
let chatty: Awaited<ReturnType<typeof openSilentServer>>
let late: Promise<Awaited<ReturnType<typeof sendBySmtp>>[]>

const send = (email: Email, { url = server.url, to = ['inbox@agency.example'] } = {}) =>
  sendBySmtp({ url, from: FROM }, email, { to, messageId: '<1@agency.example>' })

type Parsed = { headers: Record<string, string>; names: (string | undefined)[]; text: string; html: string }

/** The head of a message by names in lower case, folded lines joined, and its body, as text and as HTML. */
const parse = (message = ''): Parsed => {
  const [head = '', ...body] = message.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*:\s*/, '')])
  const encoded = body.join('\r\n\r\n')
  const { 'content-transfer-encoding': encoding, 'content-type': type = '' } = Object.fromEntries(headers)
  const bytes =
    encoding === 'base64'
      ? Buffer.from(encoded, 'base64')
      : Buffer.from(
          encoded
            .replace(/=\r\n/g, '')
            .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
          encoding === 'quoted-printable' ? 'latin1' : 'utf8',
        )
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1]
  const parts = boundary
    ? encoded
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => parse(part.trimStart()))
    : []
  const bodyOf = (wanted: 'text' | 'html', ofType: string) =>
    parts.map((part) => part[wanted]).find(Boolean) ?? (type.startsWith(ofType) ? bytes.toString() : '')
  return {
    headers: Object.fromEntries(headers) as Record<string, string>,
    names: lines.map((line) => line.split(':')[0]),
    text: bodyOf('text', 'text/plain'),
    html: bodyOf('html', 'text/html'),
  }
}

beforeAll(async () => {
  server = await openTestSmtp()
  silent = await openSilentServer()
  chatty = await openSilentServer('220-still here\r\n')
  late = Promise.all([send(LETTER, { url: silent.url }), send(LETTER, { url: chatty.url })]) // 20 s, next to the others
})

beforeEach(() => {
  server.answer({})
  server.taken.length = 0
  server.signIns.length = 0
})

afterAll(async () => {
  silent.close()
  chatty.close()
  await server.close()
})

describe('an email that the server accepts', () => {
  test('is a plain message to a visitor', async () => {
    expect(await send(LETTER, { to: ['thandi@example.co.za'] })).toEqual({
      kind: 'delivered',
      answer: expect.stringMatching(/^250 /),
      inboxes: [{ address: 'thandi@example.co.za', state: 'delivered' }],
    })
    const [taken] = server.taken
    expect(taken).toMatchObject({ from: 'site@agency.example', to: ['thandi@example.co.za'] })
    const { headers, text } = parse(taken?.message)
    expect(headers).toMatchObject({
      from: 'Karoo Web Studio <site@agency.example>',
      to: 'thandi@example.co.za',
      subject: 'Your chat with Karoo Web Studio',
      'message-id': '<1@agency.example>',
      'auto-submitted': 'auto-generated',
    })
    expect(headers).not.toHaveProperty('reply-to')
    expect(text.trimEnd()).toBe('Hello Thandi,\r\n\r\nthank you 🙂')
  })

  test('is drawn in HTML too, with the picture inside, and typed text stays text there', async () => {
    const value =
      'Hello <b>Thandi</b> & "co",\n\nyour reference is 3F2A-9C1E.\n\nyour chat (https://agency.example/#chat=1&a="2").\nBye'
    await send({ ...LETTER, fields: [['message', value]] }, { to: ['thandi@example.co.za'] })
    const [taken] = server.taken
    const { html } = parse(taken?.message)
    expect(html).toContain('>Hello &lt;b&gt;Thandi&lt;/b&gt; &amp; &quot;co&quot;,</p>')
    expect(html).toMatch(
      /your chat \(<a href="https:\/\/agency\.example\/#chat=1&amp;a=" [^>]+>[^<]+<\/a>&quot;2&quot;\)\.<br>Bye/,
    )
    expect(html).toContain('your reference is <b style="white-space:nowrap">3F2A-9C1E</b>.')
    expect(html).toContain('src="cid:horizon"')
    const list = 'Name: Thandi <b>\nPhone: 082 555 0142\n\n10:31 Thandi\nNote: a <b>\n\nYou signed with:\nKaroo'
    await send({ ...LETTER, fields: [['message', list]] }, { to: ['thandi@example.co.za'] })
    const drawn = parse(server.taken.pop()?.message).html
    expect(drawn).toMatch(
      /<span style="[^"]+">Name:<\/span> Thandi &lt;b&gt;<br><span style="[^"]+">Phone:<\/span> 082/,
    )
    expect(drawn).toMatch(/<span style="[^"]+">10:31 Thandi<\/span><br>Note: a &lt;b&gt;</)
    expect(drawn).toContain('>You signed with:<br>Karoo</p>')
    expect(taken?.message).toContain('Content-ID: <horizon>')
    await send(FORM)
    expect(parse(server.taken[1]?.message).html).toBe('')
  })

  test('is a list of fields to the agency and its further inboxes, who reply to the visitor', async () => {
    await send(FORM, { to: ['inbox@agency.example', 'second@agency.example'] })
    const [taken] = server.taken
    expect(taken?.to).toEqual(['inbox@agency.example', 'second@agency.example'])
    const { headers, text } = parse(taken?.message)
    expect(headers['reply-to']).toBe('Ana Botha <ana@example.com>')
    expect(text.trimEnd()).toBe('name: Ana Botha\r\nmessage: two\r\nlines')
  })

  test('goes to international addresses by their domain in ASCII, and each is reported by its own spelling', async () => {
    server.answer({ recipient: (address) => (address.startsWith('full') ? { status: 452, text: 'full' } : undefined) })
    const to = ["o'brien@bücher.example", 'full@Bücher.example', 'müller@bücher.example']
    expect(await send({ ...FORM, replyTo: { name: 'Ana', address: 'ana@bücher.example' } }, { to })).toMatchObject({
      kind: 'busy',
      inboxes: [
        { address: "o'brien@bücher.example", state: 'delivered' },
        { address: 'müller@bücher.example', state: 'delivered' },
        { address: 'full@Bücher.example', state: 'deferred' },
      ],
    })
    const [taken] = server.taken
    expect(taken?.isUtf8).toBe(true)
    expect(parse(taken?.message).headers).toMatchObject({
      to: "o'brien@xn--bcher-kva.example, full@xn--bcher-kva.example, müller@bücher.example",
      'reply-to': 'Ana <ana@xn--bcher-kva.example>',
    })
    await send(LETTER, { to: ['thandi@bücher.example'] })
    expect(server.taken[1]?.isUtf8).toBe(false)
    expect(parse(server.taken[1]?.message).headers.to).toBe('thandi@xn--bcher-kva.example')
  })

  test('has no header that only some servers accept, not even for the reply address', async () => {
    await send({ ...FORM, replyTo: { name: 'Jörg Müller', address: 'müller@bücher.example' } })
    expect(server.taken[0]?.isUtf8).toBe(false)
    expect(server.taken[0]?.message).toMatch(/^\p{ASCII}*$/u)
  })

  test('is refused if the server takes no international names, and the server is not asked to', async () => {
    const plain = await openTestSmtp({ takesUtf8: false })
    onTestFinished(() => plain.close())
    expect(await send(LETTER, { url: plain.url, to: ['müller@bücher.example'] })).toMatchObject({ kind: 'rejected' })
    expect(plain.taken).toEqual([])
  })

  test('is no delivery if one of several inboxes refuses it, and each is reported separately', async () => {
    server.answer({
      recipient: (address) => (address === 'gone@agency.example' ? { status: 550, text: 'no such user' } : undefined),
    })
    expect(await send(FORM, { to: ['inbox@agency.example', 'gone@agency.example'] })).toEqual({
      kind: 'partial',
      answer: expect.stringMatching(/^250 .* \(not taken for 1 of 2 recipients: 550 no such user\)$/),
      inboxes: [
        { address: 'inbox@agency.example', state: 'delivered' },
        { address: 'gone@agency.example', state: 'refused' },
      ],
    })
    expect(server.taken[0]?.to).toEqual(['inbox@agency.example'])
  })

  test('is retried if one of several inboxes refuses it for now, even if all do', async () => {
    server.answer({ recipient: (address) => ({ status: address.startsWith('full') ? 452 : 550, text: 'not now' }) })
    const to = ['full@agency.example', 'gone@agency.example']
    expect(await send(FORM, { to })).toMatchObject({
      kind: 'busy',
      inboxes: [
        { address: 'full@agency.example', state: 'deferred' },
        { address: 'gone@agency.example', state: 'refused' },
      ],
    })
    server.answer({ recipient: (address) => (address.startsWith('full') ? { status: 452, text: 'full' } : undefined) })
    expect(await send(FORM, { to })).toMatchObject({
      kind: 'busy',
      inboxes: [
        { address: 'gone@agency.example', state: 'delivered' },
        { address: 'full@agency.example', state: 'deferred' },
      ],
    })
  })
})

describe('text that a visitor typed', () => {
  test.each([
    'Ana\r\nBcc: victim@example.com',
    'Ana\nBcc: victim@example.com',
    'Ana\rBcc: victim@example.com',
    'Ana"\r\n\r\nhidden body',
    'Ana <victim@example.com>,',
  ])('as a name adds no line to the head and no recipient: %j', async (name) => {
    const replyTo = { name, address: 'ana@example.com' }
    await send({ ...FORM, subject: `New contract: ${name}`, replyTo, fields: [['name', name]] })
    const [taken] = server.taken
    expect(taken?.to).toEqual(['inbox@agency.example'])
    const { names, headers } = parse(taken?.message)
    expect(names.filter((header) => /^bcc$/i.test(header ?? ''))).toEqual([])
    expect(names.filter((header) => /^(to|cc|reply-to|subject)$/i.test(header ?? ''))).toHaveLength(3)
    expect(headers['reply-to']).toMatch(/<ana@example\.com>$/)
  })

  test('in the body cannot end the message, and bare line feeds become line ends', async () => {
    const value = 'one\ntwo\r\n.\r\nMAIL FROM:<x@example.com>\rthree\n.\nfour'
    await send({ ...LETTER, fields: [['message', value]] })
    expect(server.taken).toHaveLength(1)
    const { text } = parse(server.taken[0]?.message)
    expect(text.trimEnd().split(/\r\n|\r|\n/)).toEqual([
      'one',
      'two',
      '.',
      'MAIL FROM:<x@example.com>',
      'three',
      '.',
      'four',
    ])
    expect(server.taken[0]?.message).not.toMatch(/(?<!\r)\n/)
  })

  test('in emoji and any script arrives unchanged', async () => {
    const value = `🙂 Ünïcødé 網站 ${'long '.repeat(1_000)}`
    await send({ ...LETTER, subject: 'Antwoord 🙂', fields: [['message', value]] })
    expect(parse(server.taken[0]?.message).text.trimEnd()).toBe(value.trimEnd())
    expect(parse(server.taken[0]?.message).headers.subject).toMatch(/^=\?UTF-8\?/)
  })
})

describe('a server that does not accept it', () => {
  test.each([
    ['450 for the recipient', { recipient: () => ({ status: 450, text: '4.2.1 mailbox busy' }) }, 'busy', undefined],
    ['421 for the message', { message: () => ({ status: 421, text: 'try later' }) }, 'busy', undefined],
    ['451 for the message', { message: () => ({ status: 451, text: 'try later' }) }, 'busy', undefined],
    ['550 for the recipient', { recipient: () => ({ status: 550, text: 'no such user' }) }, 'rejected', true],
    ['552 for the message', { message: () => ({ status: 552, text: 'too large' }) }, 'rejected', true],
    ['530, wanting credentials', { recipient: () => ({ status: 530, text: 'authenticate' }) }, 'blocked', undefined],
  ])('with %s is classified', async (_, answers, kind, isFinal) => {
    server.answer(answers)
    const result = await send(LETTER)
    expect(result).toMatchObject({ kind })
    expect(result.isFinal).toBe(isFinal)
    expect(server.taken).toEqual([])
  })

  test('because of the password blocks: an operator has to act', async () => {
    expect(await send(LETTER, { url: server.urlWith('site:wrong@') })).toEqual({
      kind: 'blocked',
      answer: expect.stringMatching(/^The server refused the user name or the password \(535 /),
    })
  })

  test('reports nothing personal: addresses are cut out of its response', async () => {
    server.answer({
      recipient: (address) => ({ status: 550, text: `<${address}>: user thandi@example.co.za unknown` }),
    })
    const { answer } = await send(LETTER, { to: ['thandi@example.co.za'] })
    expect(answer).toContain('550')
    expect(answer).not.toMatch(/thandi|@/)
  })

  test('is busy if no server is there: nothing can have been sent', async () => {
    expect(await send(LETTER, { url: `smtp://127.0.0.1:${await freePort()}` })).toMatchObject({
      kind: 'busy',
      answer: expect.stringMatching(/^No mail server listens at this port/),
    })
    expect(await send(LETTER, { url: 'smtp://nowhere.invalid' })).toMatchObject({
      kind: 'busy',
      answer: expect.stringMatching(/^No server has this name/),
    })
  })

  test('blocks if it speaks no TLS at a port that needs it', async () => {
    expect(await send(LETTER, { url: server.url.replace('smtp:', 'smtps:') })).toMatchObject({
      kind: 'blocked',
      answer: expect.stringMatching(/^The server offers no encryption at this port: try 465 or 587/),
    })
    expect(server.signIns).toEqual([])
  })

  test('is unknown after twenty seconds at most, whether it is silent or never comes to an end', async () => {
    const before = performance.now()
    const words = expect.stringMatching(/^The server did not respond in time/)
    expect(await late).toMatchObject([
      { kind: 'unknown', answer: words },
      { kind: 'unknown', answer: words },
    ])
    expect(performance.now() - before).toBeLessThan(25_000)
  }, 40_000)

  test('without credentials that it requires blocks too', async () => {
    expect(await send(LETTER, { url: server.urlWith('') })).toMatchObject({ kind: 'blocked' })
    expect(server.taken).toEqual([])
  })

  test('through TLS does not get the password, unless it is on this machine', async () => {
    expect(await send(LETTER, { url: server.url.replace('127.0.0.1', '0.0.0.0') })).toMatchObject({ kind: 'blocked' })
    expect(server.signIns).toEqual([])
    expect(await send(LETTER)).toMatchObject({ kind: 'delivered' })
    expect(server.signIns).toEqual(['site'])
  })
})
