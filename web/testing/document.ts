// Vitest's set-up file of tests that render into a document (jsdom): what a browser has and jsdom lacks.
import { cleanup, configure } from '@testing-library/react'
import { mutate } from 'swr'
import { afterEach, beforeEach, vi } from 'vitest'
import { TOASTER_ID } from '../ui/toast/mount.ts'
import { forgetRequests, unexpectedRequests } from './server.ts'

/** How long a machine under load may take for what is at once elsewhere. */
configure({ asyncUtilTimeout: 10_000 })

/** What media queries go by, in CSS pixels, unless a test sets `window.innerWidth`. */
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

class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** A stream of server-sent events that a test writes into; `opened` holds those of the page by address. */
export class TestEventSource extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 2
  static readonly opened = new Map<string, TestEventSource>()
  readonly url: string
  readyState = TestEventSource.OPEN

  constructor(url: string) {
    super()
    this.url = url
    TestEventSource.opened.set(url, this)
    queueMicrotask(() => this.dispatchEvent(new Event('open')))
  }

  close() {
    this.readyState = TestEventSource.CLOSED
  }
}

const missing = {
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
}

beforeEach(() => {
  Object.assign(window, missing)
  Object.assign(globalThis, missing)
  Object.assign(window, { innerWidth: WIDTH_PX })
  Object.assign(navigator, {
    permissions: { query: async () => Object.assign(new EventTarget(), { state: 'denied' }) },
  })
  Element.prototype.scrollIntoView = () => {}
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
    this.dispatchEvent(new Event('close'))
  }
  HTMLElement.prototype.hidePopover = () => {}
  HTMLElement.prototype.showPopover = () => {}
})

afterEach(async () => {
  cleanup()
  // what a page has put there by itself; code that comes late finds a place for its notices, and makes none for good
  document.body.replaceChildren(Object.assign(document.createElement('div'), { id: TOASTER_ID }))
  await mutate(() => true, undefined, { revalidate: false })
  vi.useRealTimers()
  localStorage.clear()
  sessionStorage.clear()
  TestEventSource.opened.clear()
  const unexpected = unexpectedRequests()
  forgetRequests()
  if (unexpected.length > 0) throw new Error(`The screen asked for what the test does not answer: ${unexpected}`)
})
