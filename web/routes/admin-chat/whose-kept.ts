import { WHOSE, type Whose } from '../../chat/console-assignments.ts'

const KEY = 'staff-chats-whose'

/** Whose chats a word of an address names. */
export const whoseNamed = (word: string | null): Whose | undefined => WHOSE.find((whose) => whose === word)

/** Whose chats this browser listed last. */
export const readWhose = (): Whose => {
  try {
    return whoseNamed(localStorage.getItem(KEY)) ?? 'all'
  } catch {
    return 'all'
  }
}

/** Remembers whose chats are listed here. */
export const keepWhose = (whose: Whose) => {
  try {
    localStorage.setItem(KEY, whose)
  } catch {
    // a browser that keeps nothing lists all next time
  }
}
