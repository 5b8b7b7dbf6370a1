import { chatGreetingsPart, chatGreetingsWire } from './chat-greetings.ts'
import { companyPart, companyWire } from './company.ts'
import { emailServerPart, emailServerWire } from './email-server.ts'
import { inboxAddressesPart, inboxAddressesWire } from './inbox-addresses.ts'
import { offerPart, offerWire } from './offer.ts'
import { packagesPart, packagesWire } from './packages.ts'
import { quoteChoicesPart, quoteLabelsWire } from './quote-choices.ts'
import { repliesPart, repliesWire } from './replies.ts'
import { retentionPart, retentionWire } from './retention.ts'
import { showcasePart, showcaseWire } from './showcase.ts'
import { supportHoursPart } from './support-hours.ts'
import { supportHours } from './support-hours-wire.ts'
import { weekStartPart, weekStartWire } from './week-start.ts'

/**
 * The registry of the parts of the settings, by their names there. Add a part here and, for staff, in
 * web/routes/admin-settings/sections.ts.
 */
export const PARTS = {
  supportHours: supportHoursPart,
  replies: repliesPart,
  inboxAddresses: inboxAddressesPart,
  offer: offerPart,
  showcase: showcasePart,
  packages: packagesPart,
  quoteLabels: quoteChoicesPart,
  chatGreetings: chatGreetingsPart,
  company: companyPart,
  weekStart: weekStartPart,
  retention: retentionPart,
  emailServer: emailServerPart,
}

/** The parts as the API returns them, apart from the forms so that most pages load none. */
export const PARTS_WIRE = {
  supportHours,
  replies: repliesWire,
  inboxAddresses: inboxAddressesWire,
  offer: offerWire,
  showcase: showcaseWire,
  packages: packagesWire,
  quoteLabels: quoteLabelsWire,
  chatGreetings: chatGreetingsWire,
  company: companyWire,
  weekStart: weekStartWire,
  retention: retentionWire,
  emailServer: emailServerWire,
}
