import { act, cleanup, render, screen, within } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { vi } from 'vitest'
import { DEFAULT_SUPPORT_HOURS } from '../../events/settings/support-time.ts'
import { holdChatLink } from '../chat/visitor/chat-link.ts'
import type { Teammate } from '../chat/widget/team.tsx'
import { type Answer, answerRequests } from './server.ts'
import { VisitorServer } from './visitor-socket.ts'

/** A moment in support hours. */
export const IN_HOURS = new Date('2026-11-18T10:00:00+02:00')
export const AT_NIGHT = new Date('2026-11-18T20:00:00+02:00')

type PageOptions = {
  path?: string
  now?: Date
  /** The site's support hours, and whether replies reach visitors by email. */
  hours?: Answer
  team?: readonly Teammate[]
  server?: VisitorServer
}

const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const

/** How often a page's clock is advanced by the time that the test has taken, in milliseconds. */
const TICK_MS = 5

const show = async (team: readonly Teammate[]) => {
  // as on a new page, only stored data is known
  vi.resetModules()
  const { ChatWidget } = await import('../chat/widget/widget.tsx')
  const island = document.createElement('div')
  island.dataset.island = 'chat'
  document.body.append(island)
  holdChatLink(island)
  render(<ChatWidget team={team} />, { container: island })
}

const leave = () => {
  act(() => dispatchEvent(new Event('pagehide')))
  cleanup()
  // the pending work of a page that is gone
  vi.clearAllTimers()
}

/** A visitor's page with the chat alone, in the test's document. */
export type VisitorPage = {
  user: UserEvent
  server: VisitorServer
  /** Advances the clock, and runs everything that is due. */
  later: (ms: number) => Promise<void>
  /** Loads the page again, or another one, in the same tab; `meanwhile` is called before that. */
  reload: (path?: string, meanwhile?: () => void) => Promise<void>
  /** Closes the tab, and opens another one in the same browser. */
  openNextTab: (path?: string, meanwhile?: () => void) => Promise<void>
  /** Follows a link to a hash on the current page. */
  follow: (hash: string) => void
}

/**
 * Opens a page with the chat. A test that has opened others before closes them with this call: it is the same document.
 */
export const openVisitorPage = async (options: PageOptions = {}): Promise<VisitorPage> => {
  const { path = '/', now = IN_HOURS, hours = DEFAULT_SUPPORT_HOURS, team = [] } = options
  const { server = new VisitorServer() } = options
  vi.useFakeTimers({ now, toFake: [...TIMERS], shouldAdvanceTime: true, advanceTimeDelta: TICK_MS })
  Element.prototype.scrollTo = () => {}
  answerRequests({ 'GET /api/support-hours': hours })
  const user = userEvent.setup({ document, advanceTimers: vi.advanceTimersByTime })
  const go = async (to: string) => {
    history.replaceState(null, '', to)
    await show(team)
  }
  await go(path)
  return {
    user,
    server,
    later: (ms) =>
      act(async () => {
        await vi.advanceTimersByTimeAsync(ms)
      }),
    reload: async (to = path, meanwhile = () => {}) => {
      leave()
      meanwhile()
      await go(to)
    },
    openNextTab: async (to = path, meanwhile = () => {}) => {
      leave()
      sessionStorage.clear()
      meanwhile()
      await go(to)
    },
    follow: (hash) => {
      history.replaceState(null, '', `${location.pathname}${hash}`)
      const island = document.querySelector<HTMLElement>('[data-island=chat]')
      if (island && holdChatLink(island)) act(() => dispatchEvent(new Event('resume-chat')))
    },
  }
}

/** Checking the visibility of each element is slow, and no part of the chat is hidden. */
const ALL = { hidden: true }

export const chat = () => within(screen.getByRole('region', { name: 'Live chat', ...ALL }))
export const log = () => within(screen.getByRole('log', { name: 'Conversation', ...ALL }))
export const input = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type your message...')
export const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name, ...ALL })
/** A field by the beginning of its label. */
export const field = (label: string) => screen.getByLabelText<HTMLInputElement>((text) => text.startsWith(label))
export const press = ({ user }: VisitorPage, name: string | RegExp) => user.click(button(name))

/** The text below a message: its author, and how far it was delivered. */
export const notes = () =>
  [...document.querySelectorAll('[role=log] li > p:nth-child(2)')].map((note) => note.textContent)

/** The texts of the messages that the chat shows. */
export const texts = () =>
  [...document.querySelectorAll('[role=log] li > p:first-child')].map((text) => text.textContent)

/** The days shown above messages. */
export const days = () => [...document.querySelectorAll('[role=log] [data-day]')].map(({ textContent }) => textContent)

/** The text for screen readers that the conversation itself does not contain. */
export const told = () => document.querySelector('[data-island=chat] > p[role=status]')?.textContent

/** Fills a field in one go. */
export const fill = async ({ user }: VisitorPage, element: HTMLElement, text: string) => {
  await user.clear(element)
  await user.paste(text)
}

/** Opens the chat and starts it. */
export const start = async (page: VisitorPage, name = 'Nomsa', email = '') => {
  await press(page, 'Open chat')
  await fill(page, field('Your name'), name)
  if (email) await fill(page, field('Email or phone (optional)'), email)
  await press(page, 'Start Chat')
  await screen.findByText(/Thanks for reaching out!/)
}

/** Types a message and sends it by Enter. */
export const say = async (page: VisitorPage, message: string) => {
  await fill(page, input(), message)
  await page.user.keyboard('{Enter}')
}

/** Ends the chat, and confirms the question. */
export const end = async (page: VisitorPage) => {
  await press(page, 'More actions')
  await press(page, 'End chat')
  await page.user.click(within(screen.getByRole('alertdialog', { name: 'End this chat?' })).getByText('End chat'))
  await screen.findByText('This chat has ended.')
}
