// Vitest's set-up file of tests that render into a document (jsdom): the browser features that jsdom does not have.

import { cleanup, configure } from '@testing-library/react'
import * as react from 'react'
import { mutate } from 'swr'
import { afterEach, beforeEach, vi } from 'vitest'
import { serverClock } from '../client/server-time.ts'
import { AGENCY_ELEMENT_ID } from '../content/agency.ts'
import { TOASTER_ID } from '../ui/toast/mount.ts'
import { currentToast, dismissToast } from '../ui/toast/toasts.ts'
import { forgetFetched } from './fetched.ts'
import { forgetRequests, unexpectedRequests } from './server.ts'

/** React's development build records where the first 10,000 elements of each second are made: a tenth of the time of these tests. */
Object.defineProperty(
  Reflect.get(react, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { get: () => 10_000, set: () => {}, configurable: true },
)

/** How long a machine under load may take for steps that are immediate elsewhere. */
configure({ asyncUtilTimeout: 10_000 })

const MAX_TEXT = 4_000
/** Made each time that an element is missing: the text is as helpful as all elements, and costs far less. */
configure({
  getElementError: (message) => new Error(`${message}\n\n${document.body.textContent?.slice(0, MAX_TEXT)}`),
})

/** The width for media queries, in CSS pixels, unless a test sets `window.innerWidth`. */
const WIDTH_PX = 1440

const PX_PER_REM = 16

const isMet = (query: string): boolean => {
  const bounds = [...query.matchAll(/\((min|max)-width:\s*([\d.]+)(px|rem)\)/g)]
  if (bounds.length === 0) return false
  return bounds.every(([, side, length, unit]) => {
    const px = Number(length) * (unit === 'rem' ? PX_PER_REM : 1)
    return side === 'min' ? window.innerWidth >= px : window.innerWidth <= px
  })
}

let clicks = 0
const CLICK_GAP_MS = 60_000

/** Without a layout all controls are at one place: no second press may be taken for a slip (staff/slip-guard.ts). */
const spaceOut = (event: MouseEvent) => {
  clicks += 1
  Object.defineProperty(event, 'timeStamp', { value: performance.now() + clicks * CLICK_GAP_MS, configurable: true })
}
addEventListener('click', spaceOut, true)

/** jsdom hides popovers, and cannot show them: here a press on their button does. */
addEventListener('click', ({ target }) => {
  const id = target instanceof Element && target.closest('[popovertarget]')?.getAttribute('popovertarget')
  if (id) document.getElementById(id)?.setAttribute('data-shown', '')
})
document.head.append(
  Object.assign(document.createElement('style'), { textContent: '[data-shown] { display: block !important }' }),
)

class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/**
 * A worker loads this module anew for each file, and helpers that it cached from an earlier one write into the same
 * streams.
 */
const streams = globalThis as { testStreams?: Map<string, EventTarget> }
streams.testStreams ??= new Map()

const HEARTBEAT_MS = 2_000

/** A stream of server-sent events that a test writes into; `opened` holds those of the page by address. */
export class TestEventSource extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 2
  static readonly opened = streams.testStreams ?? new Map<string, EventTarget>()
  readonly url: string
  readyState = TestEventSource.OPEN
  readonly #heartbeat = setInterval(() => this.dispatchEvent(new MessageEvent('heartbeat', { data: '' })), HEARTBEAT_MS)

  constructor(url: string) {
    super()
    this.url = url
    TestEventSource.opened.set(url, this)
    queueMicrotask(() => this.dispatchEvent(new Event('open')))
  }

  /** The network drops all data from now on, without closing any connection. */
  fallSilent() {
    clearInterval(this.#heartbeat)
  }

  close() {
    clearInterval(this.#heartbeat)
    this.readyState = TestEventSource.CLOSED
  }
}

/** The real timers: a test may replace the global ones. */
const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout } = globalThis
const FRAME_MS = 16

const missing = {
  // jsdom's own frames stop for good if one is requested while timers are stopped, in whichever file
  requestAnimationFrame: (callback: FrameRequestCallback) =>
    Number(setRealTimeout(() => callback(performance.now()), FRAME_MS)),
  cancelAnimationFrame: (handle: number) => clearRealTimeout(handle),
  matchMedia: (query: string) => ({
    matches: isMet(query),
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  }),
  ResizeObserver: Observer,
  IntersectionObserver: Observer,
  EventSource: TestEventSource,
  scrollTo: () => {},
  scrollBy: () => {},
}

/**
 * The agency's particulars, as a node gives them to a page: with empty ones each email would ask about placeholders.
 */
const AGENCY = {
  name: 'Karoo Web Studio',
  email: 'hello@karoo.example',
  phone: '+27 21 555 0100',
  dial: '+27215550100',
  whatsapp: '27215550100',
  publicUrl: 'http://localhost:3000',
  supportHours: 'Mon-Fri 08:00-18:00',
}

const giveAgency = () => {
  if (document.getElementById(AGENCY_ELEMENT_ID)) return
  const element = document.createElement('script')
  Object.assign(element, { id: AGENCY_ELEMENT_ID, type: 'application/json', textContent: JSON.stringify(AGENCY) })
  document.head.append(element)
}

beforeEach(() => {
  giveAgency()
  Object.assign(window, missing)
  Object.assign(globalThis, missing)
  Object.assign(window, { innerWidth: WIDTH_PX })
  Object.assign(navigator, {
    permissions: { query: async () => Object.assign(new EventTarget(), { state: 'denied' }) },
  })
  Element.prototype.scrollIntoView = () => {}
  Element.prototype.scrollTo = () => {}
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
    this.dispatchEvent(new Event('close'))
  }
  HTMLElement.prototype.hidePopover = function hidePopover() {
    this.removeAttribute('data-shown')
  }
  HTMLElement.prototype.showPopover = () => {}
})

/** Emotion warns of selectors that are risky if styles are rendered on a server: those of staff screens are not. */
const UNSAFE_ON_SERVER = 'potentially unsafe when doing server-side rendering'

afterEach(async () => {
  const titled = [...document.querySelectorAll('body [title]:not([title=""])')].map((element) =>
    element.outerHTML.slice(0, 200),
  )
  const errors = vi.mocked(console.error).mock.calls
  for (const [index, [text]] of [...errors.entries()].reverse())
    if (String(text).includes(UNSAFE_ON_SERVER)) errors.splice(index, 1)
  cleanup()
  // scripts that a page has added itself; code that loads late finds a place for its toasts, and creates no lasting one
  for (const script of document.head.querySelectorAll('script[src]')) script.remove()
  document.body.replaceChildren(Object.assign(document.createElement('div'), { id: TOASTER_ID }))
  await mutate(() => true, undefined, { revalidate: false })
  forgetFetched()
  vi.useRealTimers()
  localStorage.clear()
  sessionStorage.clear()
  serverClock.set({ aheadMs: 0 })
  TestEventSource.opened.clear()
  const notice = currentToast()
  if (notice) dismissToast(notice.id)
  const unexpected = unexpectedRequests()
  forgetRequests()
  if (titled.length > 0) throw new Error(`What has a title has the browser's tooltip, not the product's: ${titled}`)
  if (unexpected.length > 0) throw new Error(`The screen asked for what the test does not answer: ${unexpected}`)
})
