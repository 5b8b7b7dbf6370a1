import { useNavigate } from 'react-router'
import { chosenTheme } from '../chosen-theme.ts'
import { ADDING } from '../leads/address.ts'
import { type ListAction, pressListKey } from '../list/list-keys.ts'

/** An action by its name, run once the palette is closed. `words` are other names that find it. */
export type Command = { name: string; words?: string; run: () => void }

/** The commands on the current item of a list, in the words of the palette. */
const ACTION_NAMES: Partial<Record<ListAction, string>> = {
  assign: 'Assign to me',
  status: 'Set status',
  email: 'Email this lead',
  whatsapp: 'WhatsApp this lead',
  call: 'Call this lead',
  spam: 'Mark this lead as spam',
}

/** The button of a screen that exports its list. */
const exportButton = () => document.querySelector<HTMLButtonElement>('[data-command=export] button:not(:disabled)')

const THEMES = [
  { name: 'Light theme', theme: 'light' },
  { name: 'Dark theme', theme: 'dark' },
  { name: 'Theme of the system', theme: undefined },
] as const

/** The actions of the palette; `offered` are those of the list behind it. */
export const useCommands = (offered: readonly ListAction[], onSignOut: () => void): Command[] => {
  const navigate = useNavigate()
  return [
    ...offered.flatMap((action) => {
      const name = ACTION_NAMES[action]
      return name ? [{ name, run: () => pressListKey(action) }] : []
    }),
    { name: 'Add lead', words: 'new', run: () => navigate('/admin-dashboard', { state: ADDING }) },
    ...(exportButton() ? [{ name: 'Export to Excel', words: 'csv download', run: () => exportButton()?.click() }] : []),
    ...THEMES.map(({ name, theme }) => ({ name, words: 'colours', run: () => chosenTheme.choose(theme) })),
    { name: 'Sign out', run: onSignOut },
  ]
}
