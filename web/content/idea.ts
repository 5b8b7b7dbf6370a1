import { IDEA_STORAGE_KEY } from './idea-kept.ts'
import type { Trade } from './preview.ts'

/** What the preview is called while no name is typed. */
export const UNNAMED = 'Your Business'

/** The longest name before a dot of an address (RFC 1035, 2.3.4). */
const MAX_LABEL_CHARACTERS = 63

/** The address that a business of this name would have: what a domain name may hold, and nothing else. */
export const domainOf = (name: string) => {
  const host = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, MAX_LABEL_CHARACTERS)
  return `${host || 'yourbusiness'}.co.za`
}

/** What a visitor has chosen in the preview. */
export type Idea = { name: string; trade: Trade['name']; palette: string }

/** The choice in words, for the message of a form. */
export const ideaInWords = ({ trade, palette }: Idea) => `My preview: ${trade.toLowerCase()}, in ${palette}.`

/** The choice that was made in this tab, if there is one that can be read. */
export const keptIdea = (): Idea | undefined => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(IDEA_STORAGE_KEY) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return undefined
    const { name, trade, palette } = kept as Record<string, unknown>
    const isWhole = [name, trade, palette].every((value) => typeof value === 'string')
    return isWhole ? (kept as Idea) : undefined
  } catch {
    return undefined
  }
}
