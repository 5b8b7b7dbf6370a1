import { isForOthers, listCommandOf } from '../../staff/list/list-keys.ts'
import { isComposing } from '../../ui/composing.ts'

/** The actions that a console performs by key. */
export type Command =
  | 'next'
  | 'previous'
  | 'next-unread'
  | 'answer'
  | 'take'
  | 'hand-over'
  | 'show-all'
  | 'show-mine'
  | 'show-unassigned'
  | 'next-row'
  | 'previous-row'
  | 'end'
  | 'help'

type Keys = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** Every key of the console as its help lists them; the first ones work wherever the focus is. */
export const SHORTCUTS: { keys: string[]; does: string }[] = [
  { keys: ['Alt', '↓'], does: 'Next chat' },
  { keys: ['Alt', '↑'], does: 'Previous chat' },
  { keys: ['Alt', 'Shift', '↓'], does: 'Next unread chat' },
  { keys: ['Alt', 'R'], does: 'Write an answer' },
  { keys: ['Alt', 'T'], does: 'Take the chat' },
  { keys: ['Alt', 'H'], does: 'Hand the chat over' },
  { keys: ['Alt', 'E'], does: 'End the chat' },
  { keys: ['Alt', 'M'], does: 'List my chats' },
  { keys: ['Alt', 'U'], does: 'List unassigned chats' },
  { keys: ['Alt', 'A'], does: 'List all chats' },
  { keys: ['Ctrl', '/'], does: 'Show these keys, also while writing' },
  { keys: ['Enter'], does: 'Send, while writing' },
  { keys: ['Shift', 'Enter'], does: 'New line, while writing' },
  { keys: ['/'], does: 'Canned replies, at the start of an answer' },
  { keys: ['↑', '↓'], does: 'Move through the list of chats, or of replies' },
  { keys: ['Esc'], does: 'Close' },
]

/** The commands of the keys of every list, where nothing is written. */
const IN_LIST: Partial<Record<string, Command>> = { next: 'next-row', previous: 'previous-row', assign: 'take' }

const LETTERS: Record<string, Command> = {
  KeyR: 'answer',
  KeyT: 'take',
  KeyH: 'hand-over',
  KeyE: 'end',
  KeyA: 'show-all',
  KeyM: 'show-mine',
  KeyU: 'show-unassigned',
}

/**
 * Returns the command of a key, also of one pressed in a field. Letters are recognised by their place on the keyboard:
 * with Alt some keyboards write other characters.
 */
export const commandOf = ({ key, code, altKey, ctrlKey, metaKey, shiftKey }: Keys) => {
  if ((ctrlKey || metaKey) && !altKey && key === '/') return 'help'
  if (ctrlKey || metaKey || !altKey) return undefined
  if (key === 'ArrowDown') return shiftKey ? 'next-unread' : 'next'
  if (key === 'ArrowUp') return shiftKey ? undefined : 'previous'
  if (shiftKey) return undefined
  return LETTERS[code]
}

/** Listens for the keys of the console, except while a dialog is open. Returns a function that stops it. */
export const onCommand = (act: (command: Command) => void) => {
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event) || document.querySelector('dialog[open]')) return
    const command = commandOf(event) ?? (isForOthers(event) ? undefined : IN_LIST[listCommandOf(event) ?? ''])
    if (!command) return
    event.preventDefault()
    act(command)
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}
