import type { ChatGreeting } from './chat-greetings.ts'
import { type Company, NO_COMPANY } from './company.ts'
import { type Offer, offerAt } from './offer.ts'
import type { OwnTexts } from './package-texts.ts'
import type { OwnLabels } from './quote-choices.ts'
import type { Settings } from './settings.ts'
import { NO_SHOWCASE, type Showcase } from './showcase.ts'

/** What owners set of the public pages, as it holds at one moment: the offer is null where none runs. */
export type SiteContent = {
  offer: Offer | null
  showcase: Showcase
  packageTexts: OwnTexts
  quoteLabels: OwnLabels
  chatGreetings: ChatGreeting[]
  company: Company
}

/** That of an agency that has set nothing, once the first offer has ended. */
export const PLAIN_CONTENT: SiteContent = {
  offer: null,
  showcase: NO_SHOWCASE,
  packageTexts: {},
  quoteLabels: {},
  chatGreetings: [],
  company: NO_COMPANY,
}

/** What the settings say for the public pages at an instant. */
export const siteContentAt = (
  { offer, showcase, packageTexts, quoteLabels, chatGreetings, company }: Settings,
  now: Date,
): SiteContent => ({
  offer: offerAt(offer, now),
  showcase,
  packageTexts,
  quoteLabels,
  chatGreetings,
  company,
})

/** Every public page as HTML, by its path in lower case, and the page for unknown paths. */
export type RenderedSite = { pages: Record<string, string>; missing: string }

/**
 * Renders the public pages: the build makes it a module of its own, which nodes load and call whenever the content changes.
 * `parts` is what else the build found out (the addresses of scripts), as it wrote it.
 */
export type SiteRenderer<Parts = unknown> = (parts: Parts, content: SiteContent) => Promise<RenderedSite>
