import { ACCOUNTS } from './accounts.tsx'
import { CHAT_GREETINGS } from './chat-greetings.tsx'
import { COMPANY } from './company.tsx'
import { EMAIL } from './email.tsx'
import { INBOX_ADDRESSES } from './inbox-addresses.tsx'
import { OFFER } from './offer.tsx'
import { PACKAGES } from './packages.tsx'
import { QUOTE_CHOICES } from './quote-choices.tsx'
import { REPLIES } from './replies.tsx'
import { RETENTION } from './retention.tsx'
import { SHOWCASE } from './showcase.tsx'
import { SUPPORT_HOURS } from './support-hours.tsx'
import { TOKENS } from './tokens.tsx'
import type { Section } from './use-settings-form.ts'
import { WEBHOOKS } from './webhooks.tsx'
import { WEEK_START } from './week-start.tsx'

/** The sections of the settings; web/staff/settings/section-titles.ts has their order and titles. */
export const SECTIONS: readonly [Section, ...Section[]] = [
  ACCOUNTS,
  CHAT_GREETINGS,
  COMPANY,
  EMAIL,
  INBOX_ADDRESSES,
  OFFER,
  PACKAGES,
  QUOTE_CHOICES,
  REPLIES,
  RETENTION,
  SHOWCASE,
  SUPPORT_HOURS,
  TOKENS,
  WEBHOOKS,
  WEEK_START,
]
