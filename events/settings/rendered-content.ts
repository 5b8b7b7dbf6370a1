import type { ChatGreeting } from './chat-greetings.ts'
import { type Company, NO_COMPANY } from './company.ts'
import { type Offer, offerAt } from './offer.ts'
import type { OwnPackages } from './packages.ts'
import type { OwnLabels } from './quote-choices.ts'
import { DEFAULT_RETENTION, type Retention } from './retention.ts'
import type { Settings } from './settings.ts'
import { NO_SHOWCASE, type Showcase } from './showcase.ts'

/**
 * The owners' settings that public pages are rendered with, as valid at one moment: the offer is null if none is
 * running. Support hours and the agency's details are placeholders of rendered pages (`api/page-placeholders.ts`).
 */
export type SiteContent = {
  offer: Offer | null
  showcase: Showcase
  packages: OwnPackages
  quoteLabels: OwnLabels
  chatGreetings: ChatGreeting[]
  company: Company
  retention: Retention
}

/** The default of an agency that has set nothing, after the first offer has ended. */
export const PLAIN_CONTENT: SiteContent = {
  offer: null,
  showcase: NO_SHOWCASE,
  packages: {},
  quoteLabels: {},
  chatGreetings: [],
  company: NO_COMPANY,
  retention: DEFAULT_RETENTION,
}

/** The settings for the public pages at an instant. */
export const siteContentAt = (
  { offer, showcase, packages, quoteLabels, chatGreetings, company, retention }: Settings,
  now: Date,
): SiteContent => ({
  offer: offerAt(offer, now),
  showcase,
  packages,
  quoteLabels,
  chatGreetings,
  company,
  retention,
})

/** Every public page as HTML, by its path in lower case, and the page for unknown paths. */
export type RenderedSite = { pages: Record<string, string>; missing: string }

/**
 * Renders the public pages: the build makes it a module of its own, which nodes load and call whenever the content
 * changes. `parts` is the build's other results (the addresses of scripts), as it wrote them.
 */
export type SiteRenderer<Parts = unknown> = (parts: Parts, content: SiteContent) => Promise<RenderedSite>
