import { DEFAULT_PRICES, PACKAGE_IDS, type PackageId } from '../../events/settings/prices.ts'

/** An event as the analytics service takes it (specification, 7). */
export type NamedEvent = { name: string; category: string; label: string; value?: number }

/** The price at the start; pages name those that owners have changed. */
const priceOf = (id: PackageId): number => {
  const changed: Partial<Record<PackageId, number>> = JSON.parse(globalThis.document?.body.dataset.prices ?? '{}')
  return changed[id] ?? DEFAULT_PRICES[id].once
}

const packageOf = (path: string) => PACKAGE_IDS.find((id) => path.toLowerCase() === `/contract/${id}`)

export const formSentEvents = (leadSource: string): NamedEvent[] => [
  { name: 'form_submit', category: 'lead_generation', label: leadSource, value: 1 },
  { name: 'generate_lead', category: 'conversion', label: leadSource },
]

/** The events that opening a page counts as, besides the page view. */
export const openedEvents = (path: string): NamedEvent[] => {
  const viewed = packageOf(path)
  return viewed ? [{ name: 'view_item', category: 'packages', label: viewed, value: priceOf(viewed) }] : []
}

/** A link that a visitor follows: its address as it is written, its absolute path, its text, and whether it is a button. */
type FollowedLink = { href: string; path: string; text: string; isButton: boolean }

/** The sections to which calls to action lead. */
const CALLED_TO = /^\/?#(contact|consultation|portfolio|pricing)$/

export const clickedEvents = ({ href, path, text, isButton }: FollowedLink): NamedEvent[] => {
  if (href.startsWith('tel:')) return [{ name: 'phone_click', category: 'contact', label: href.slice('tel:'.length) }]
  const chosen = packageOf(path)
  if (chosen) return [{ name: 'package_click', category: 'packages', label: chosen, value: priceOf(chosen) }]
  if (!isButton || !CALLED_TO.test(href)) return []
  return [{ name: 'cta_click', category: 'engagement', label: text }]
}
