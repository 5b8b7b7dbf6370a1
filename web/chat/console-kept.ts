import type { ConsoleState } from './console-state.ts'

const KEY = 'staff-chats'

/** What a console keeps over a reload of its tab: answers that are not sent yet, and what was looked at. */
export type KeptConsole = Pick<ConsoleState, 'drafts' | 'seen'>

/** What this tab has kept; nothing where there is none, or it cannot be read. */
export const readKeptConsole = (): KeptConsole => {
  try {
    const kept: Partial<KeptConsole> | null = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return { drafts: kept?.drafts ?? {}, seen: kept?.seen ?? {} }
  } catch {
    return { drafts: {}, seen: {} }
  }
}

/** A browser that allows no storage only loses the drafts with the page. */
export const keepConsole = ({ drafts, seen }: KeptConsole) => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ drafts, seen }))
  } catch {
    // storage is switched off, or full
  }
}

/** Forgets what the tab has kept: whoever signs in next is someone else. */
export const forgetConsole = () => {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // nothing was kept
  }
}
