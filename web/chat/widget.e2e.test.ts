import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../events/testing/node.ts'
import { openTestSite, type TestSite } from './test-site.ts'
import { openTestStaff, type TestStaff } from './test-staff.ts'
import { button, chatOf, end, inputOf, logOf, say, seriousOf, start, textsOf } from './test-widget.ts'

let site: TestSite
let staff: TestStaff

beforeAll(async () => {
  site = await openTestSite()
  staff = await openTestStaff(site.nodes[1], site.url)
})

afterAll(async () => {
  staff.close()
  await site.close()
})

const isFocused = (page: Page, selector: string) =>
  eventually(async () => expect(await page.locator(selector).evaluate((e) => e === document.activeElement)).toBe(true))

describe('a conversation', () => {
  let page: Page
  let sessionId: string

  test('has to have a name', async () => {
    page = await site.openPage()
    await button(page, 'Open chat').click()
    await isFocused(page, '#chat-question')
    const box = await chatOf(page).boundingBox()
    expect(box).toMatchObject({ width: 384, height: 500 })
    expect(await seriousOf(page)).toEqual([])
    await page.getByLabel('Your name').fill('   ')
    await page.getByLabel('Your name').press('Enter')
    expect(await chatOf(page).getByRole('alert').textContent()).toBe('Please enter your name to start chatting.')
    await isFocused(page, '#chat-name')
    expect(await seriousOf(page)).toEqual([])
  })

  test('starts once however often Start Chat is clicked, and leads the focus into the message', async () => {
    await page.getByLabel('Your name').fill('Nomsa')
    await page.getByLabel('Email (optional)').fill('no address at all')
    await button(page, 'Start Chat').click()
    await chatOf(page).getByText('Please enter a valid email address').waitFor()
    expect(await page.getByLabel('Email (optional)').evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await seriousOf(page)).toEqual([])
    await page.getByLabel('Email (optional)').fill('thandi@example.co.za')
    await chatOf(page).getByText('Please enter a valid email address').waitFor({ state: 'detached' })
    await button(page, 'Start Chat').dblclick()
    sessionId = await staff.sessionOf('Nomsa')
    await isFocused(page, 'textarea[placeholder="Type your message..."]')
    const started = staff.frames.filter((frame) => frame.type === 'new_chat_session' && frame.visitorName === 'Nomsa')
    expect(started).toHaveLength(1)
    await chatOf(page).getByText('Connected', { exact: true }).waitFor()
    expect(await chatOf(page).locator('[viewBox="0 0 10 10"] circle').getAttribute('fill')).toBe('#2fa565')
  })

  test('reaches the support team on the other node, and brings their answer and that they type', async () => {
    await page.keyboard.type('Do you build shops?')
    await page.keyboard.press('Enter')
    await logOf(page).getByText('Sent', { exact: true }).waitFor()
    expect(await inputOf(page).inputValue()).toBe('')
    await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['Do you build shops?']))
    staff.send({ type: 'typing', sessionId, isTyping: true })
    await logOf(page).getByText('Support Team is typing').waitFor()
    await staff.answer(sessionId, 'Yes, we do.')
    await logOf(page).getByText('Yes, we do.').waitFor()
    expect(await logOf(page).getByText('Support Team is typing').count()).toBe(0)
    expect(await seriousOf(page)).toEqual([])
    expect(
      staff.frames.some((frame) => frame.type === 'typing' && frame.sessionId === sessionId && frame.isTyping),
    ).toBe(true)
  })

  test('takes any text as text', async () => {
    const long = 'x'.repeat(4_000)
    const texts = ['<b onclick="alert(1)">bold</b> &amp;', 'مرحبا، كم السعر؟', '👩🏽‍💻🇿🇦', 'one\ntwo', long]
    for (const text of texts) await say(page, text)
    await eventually(() => expect(staff.textsOf(sessionId).slice(1)).toEqual(texts))
    await eventually(async () => expect((await textsOf(page)).slice(-5)).toEqual(texts))
    expect(await logOf(page).locator('b').count()).toBe(0)
    const arabic = logOf(page).getByText('مرحبا')
    expect(await arabic.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
    expect(await logOf(page).evaluate((log) => log.scrollWidth <= log.clientWidth)).toBe(true)
  })

  test('keeps a message of 4,001 characters, says why it is not sent, and sends what is left of it', async () => {
    await inputOf(page).fill('y'.repeat(4_001))
    await inputOf(page).press('Enter')
    await chatOf(page).getByText('Too long to send: 4,001 of 4,000 characters').waitFor()
    expect((await inputOf(page).inputValue()).length).toBe(4_001)
    await inputOf(page).press('Backspace')
    await chatOf(page).getByText('4,000 of 4,000 characters').waitFor()
    await inputOf(page).press('Enter')
    await eventually(() => expect(staff.textsOf(sessionId).at(-1)).toBe('y'.repeat(4_000)))
  })

  test('has addresses that can be followed, by their own text and into a tab that learns nothing', async () => {
    await staff.answer(sessionId, 'Look at https://example.co.za/shop, javascript:alert(1)')
    const link = logOf(page).getByRole('link')
    await link.waitFor()
    expect(await link.evaluate((a) => a.outerHTML)).toMatch(/^<a href="https:\/\/example.co.za\/shop" /)
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
  })

  test('survives a reload and a change of page, with what was being written', async () => {
    const before = await textsOf(page)
    await inputOf(page).fill('half a thou')
    for (const path of ['/', '/thanks']) {
      await page.goto(path)
      await eventually(async () => expect(await textsOf(page)).toEqual(before))
      await eventually(async () => expect(await inputOf(page).inputValue()).toBe('half a thou'))
    }
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    await inputOf(page).fill('')
  })

  test('minimises to its header, counts what comes meanwhile, and resets the count once it is opened', async () => {
    await button(page, 'Minimise chat').click()
    expect(await chatOf(page).boundingBox()).toMatchObject({ width: 320, height: 64 })
    await page.emulateMedia({ forcedColors: 'active' })
    expect(await chatOf(page).evaluate((chat) => getComputedStyle(chat).outlineColor)).not.toBe('rgba(0, 0, 0, 0)')
    await page.emulateMedia({ forcedColors: 'none' })
    const told = page.locator('[data-island=chat] > p[role=status]')
    expect(await told.textContent()).toBe('')
    await staff.answer(sessionId, 'Still there?')
    await chatOf(page).getByText('1', { exact: true }).waitFor()
    await eventually(async () => expect(await told.textContent()).toBe('1 unread message from the Support Team'))
    for (let count = 2; count <= 12; count += 1) await staff.answer(sessionId, `Answer ${count}`)
    await chatOf(page).getByText('9+', { exact: true }).waitFor()
    await eventually(async () => expect(await told.textContent()).toBe('12 unread messages from the Support Team'))
    expect(await seriousOf(page)).toEqual([])
    await chatOf(page).click({ position: { x: 40, y: 20 } })
    await inputOf(page).waitFor()
    await button(page, 'Minimise chat').click()
    for (let count = 13; count <= 24; count += 1) await staff.answer(sessionId, `Answer ${count}`)
    await chatOf(page).getByText('9+', { exact: true }).waitFor()
    await button(page, 'Close chat').click()
    await button(page, 'Open chat, 9+ unread').waitFor()
    expect(await seriousOf(page)).toEqual([])
    await page.reload()
    await button(page, 'Open chat, 9+ unread').click()
    await logOf(page).getByText('Answer 24').waitFor()
    await button(page, 'Close chat').click()
    await button(page, 'Open chat').waitFor()
    await eventually(async () => expect(await told.textContent()).toBe(''))
  })

  test('can be ended, and begun again', async () => {
    await button(page, 'Open chat').click()
    await end(page)
    await chatOf(page).getByText('This chat has ended.').waitFor()
    await button(page, 'Start a new chat').click()
    await isFocused(page, 'textarea[placeholder="Type your message..."]')
    await say(page, 'One more thing')
    await logOf(page).getByText('Sent', { exact: true }).waitFor()
    expect(await textsOf(page)).toEqual([expect.stringContaining('Thanks'), 'One more thing'])
    await end(page)
    await chatOf(page).getByText('This chat has ended.').waitFor()
    await button(page, 'Close chat').click()
    await button(page, 'Open chat').click()
    await page.getByLabel('Your name').waitFor()
    await page.context().close()
  })
})

test('the chat loads no script before the page is there', async () => {
  const page = await site.openPage({ path: 'about:blank' })
  const early: string[] = []
  let isLoaded = false
  page.once('load', () => {
    isLoaded = true
  })
  page.on('request', (request) => {
    // what pages fetch as they have loaded may be told of before that they have
    const isAfterwards = request.url().includes('/assets/afterwards-')
    if (!isLoaded && request.resourceType() === 'script' && !isAfterwards) early.push(request.url())
  })
  await page.goto('/')
  expect(early).toEqual([])
  expect(isLoaded).toBe(true)
  await page.context().close()
})

test('the conversation is a log that announces what is added', async () => {
  const page = await site.openPage()
  await start(staff, page, 'Listener')
  const log = logOf(page)
  expect(await log.getAttribute('aria-relevant')).toBe('additions')
  expect(await log.getAttribute('aria-live')).toBe(null)
  await page.context().close()
})

test('the message comes first and the details after: it is sent once the chat has started, and is not lost before', async () => {
  const page = await site.openPage()
  await button(page, 'Open chat').click()
  await page.getByLabel('How can we help?').fill('Do you build')
  await button(page, 'Close chat').click()
  await button(page, 'Open chat').click()
  await isFocused(page, '#chat-question')
  expect(await page.getByLabel('How can we help?').inputValue()).toBe('Do you build')
  await page.getByLabel('How can we help?').press('End')
  await page.keyboard.type(' shops?')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('And when?')
  await page.keyboard.press('Enter')
  await isFocused(page, '#chat-name')
  expect(await chatOf(page).getByRole('alert').textContent()).toBe('')
  await page.keyboard.press('Enter')
  expect(await chatOf(page).getByRole('alert').textContent()).toBe('Please enter your name to start chatting.')
  await page.keyboard.type('Asks first')
  await page.keyboard.press('Enter')
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  expect(await textsOf(page)).toEqual([expect.stringContaining('Thanks'), 'Do you build shops?\nAnd when?'])
  expect(await inputOf(page).inputValue()).toBe('')
  const sessionId = await staff.sessionOf('Asks first')
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['Do you build shops?\nAnd when?']))
  await page.context().close()
})

test('what is typed before the chat has started survives a reload, until the chat starts', async () => {
  const page = await site.openPage()
  await button(page, 'Open chat').click()
  await page.getByLabel('How can we help?').fill('Do you build for schools?')
  await page.getByLabel('Your name').fill('Refilwe')
  await page.getByLabel('Email (optional)').fill('refilwe@example.co.za')
  await page.reload()
  await button(page, 'Open chat').click()
  await expect.poll(() => page.getByLabel('How can we help?').inputValue()).toBe('Do you build for schools?')
  expect(await page.getByLabel('Your name').inputValue()).toBe('Refilwe')
  expect(await page.getByLabel('Email (optional)').inputValue()).toBe('refilwe@example.co.za')
  await button(page, 'Start Chat').click()
  await logOf(page).getByText('Do you build for schools?').waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('chat-draft'))).toBe(null)
  await page.context().close()
})

test('a question that is often asked is chosen by a touch, and can still be changed', async () => {
  const page = await site.openPage()
  await button(page, 'Open chat').click()
  await button(page, 'Do I get a domain?').click()
  await isFocused(page, '#chat-name')
  expect(await page.getByLabel('How can we help?').inputValue()).toBe('Do I get a domain?')
  expect(await button(page, 'Do I get a domain?').count()).toBe(0)
  expect(await seriousOf(page)).toEqual([])
  await page.keyboard.type('Chooses')
  await button(page, 'Start Chat').click()
  const sessionId = await staff.sessionOf('Chooses')
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['Do I get a domain?']))
  await page.context().close()
})

test('the keyboard alone does it all', async () => {
  const page = await site.openPage({ path: '/thanks' })
  await button(page, 'Open chat').focus()
  await page.keyboard.press('Enter')
  await isFocused(page, '#chat-question')
  await page.keyboard.press('Enter')
  await isFocused(page, '#chat-name')
  await page.keyboard.type('Keys')
  await page.keyboard.press('Enter')
  await isFocused(page, 'textarea[placeholder="Type your message..."]')
  await page.keyboard.type('first')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('second')
  await page.keyboard.press('Enter')
  const sessionId = await staff.sessionOf('Keys')
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['first\nsecond']))
  await button(page, 'Minimise chat').focus()
  await page.keyboard.press('Enter')
  await isFocused(page, 'button[aria-label="Expand chat"]')
  await page.keyboard.press('Enter')
  await isFocused(page, 'textarea[placeholder="Type your message..."]')
  await page.keyboard.press('Escape')
  await isFocused(page, 'button[aria-label="Open chat"]')
  await page.context().close()
})

test('Chat Now on the page opens the chat, and gets the focus back when it is closed', async () => {
  const page = await site.openPage()
  await button(page, 'Chat Now').first().click()
  await isFocused(page, '#chat-question')
  await page.keyboard.press('Escape')
  await isFocused(page, '[data-opens-chat]')
  await page.context().close()
})

test('a page that came without HTTPS to a browser that allows no storage chats all the same', async () => {
  const page = await site.openPage({ path: '/thanks' })
  await page.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('Denied', 'SecurityError')
      },
    })
    Object.defineProperty(crypto, 'randomUUID', { value: undefined })
  })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto('/')
  const sessionId = await start(staff, page, 'Private')
  await say(page, 'Hello')
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['Hello']))
  expect(errors).toEqual([])
  await page.context().close()
})
