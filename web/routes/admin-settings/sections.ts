import { ACCOUNTS } from './accounts.tsx'
import { ANSWER_TEMPLATES } from './answer-templates.tsx'
import { CANNED_REPLIES } from './canned-replies.tsx'
import { CHAT_GREETINGS } from './chat-greetings.tsx'
import { COMPANY } from './company.tsx'
import { INBOX_ADDRESSES } from './inbox-addresses.tsx'
import { OFFER } from './offer.tsx'
import { PACKAGE_TEXTS } from './package-texts.tsx'
import { QUOTE_CHOICES } from './quote-choices.tsx'
import { SHOWCASE } from './showcase.tsx'
import { SUPPORT_HOURS } from './support-hours.tsx'
import { TOKENS } from './tokens.tsx'
import type { Section } from './use-settings-form.ts'
import { WEBHOOKS } from './webhooks.tsx'
import { WEEK_START } from './week-start.tsx'

/** The sections of the settings in order, grouped by subject. */
export const GROUPS: readonly { title: string; sections: readonly Section[] }[] = [
  { title: 'Answering', sections: [SUPPORT_HOURS, CANNED_REPLIES, ANSWER_TEMPLATES, CHAT_GREETINGS, INBOX_ADDRESSES] },
  { title: 'Website', sections: [OFFER, PACKAGE_TEXTS, QUOTE_CHOICES, SHOWCASE, COMPANY] },
  { title: 'Team', sections: [ACCOUNTS, WEEK_START] },
  { title: 'Programs', sections: [TOKENS, WEBHOOKS] },
]
