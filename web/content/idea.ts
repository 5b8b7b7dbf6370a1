import { stored } from '../client/stored.ts'
import type { Trade } from './preview.ts'
import { IDEA_STORAGE_KEY } from './stored-idea.ts'

/** The preview's name while the visitor has typed none. */
export const UNNAMED = 'Your Business'

/** The longest name before a dot of an address (RFC 1035, 2.3.4). */
const MAX_LABEL_CHARACTERS = 63

/** The domain name for a business: only characters that a domain name allows. */
export const domainOf = (name: string) => {
  const host = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, MAX_LABEL_CHARACTERS)
  return `${host || 'yourbusiness'}.co.za`
}

/** The visitor's choice in the preview. */
export type Idea = { name: string; trade: Trade['name']; palette: string }

export const ideaInWords = ({ trade, palette }: Idea) => `My preview: ${trade.toLowerCase()}, in ${palette}.`

export const storedIdea = stored(IDEA_STORAGE_KEY, 'tab', (value) => {
  const { name, trade, palette } = value as Record<string, unknown>
  return [name, trade, palette].every((part) => typeof part === 'string') ? (value as Idea) : undefined
})
