/** The parts of the settings; `id` is a part's name in the address, and that of its form if it has one. */
export const SECTIONS = {
  hours: {
    id: 'support-hours',
    title: 'Support hours',
    intro: 'Shown on the website; used by chat and reply deadlines.',
  },
  replies: {
    id: 'canned-replies',
    title: 'Canned replies',
    intro: 'Answers that you give often. Type / and the shortcut in chat.',
  },
  templates: {
    id: 'answer-templates',
    title: 'Answer templates',
    intro:
      'Emails and the WhatsApp message to leads. {name}, {business}, {package}, {reference}, {agency} and {me} are filled in.',
  },
  greetings: {
    id: 'chat-greetings',
    title: 'Proactive messages',
    intro: 'A message next to the chat button, on the pages you choose. Clicking it opens the chat with it.',
  },
  inboxes: {
    id: 'inbox-addresses',
    title: 'Inbox addresses',
    intro: 'Extra recipients for signed contracts. Other leads appear on the dashboard only.',
  },
  offer: {
    id: 'offer',
    title: 'Offer',
    intro: 'Shown in the banner, on the badges and next to the prices until the end of its last day.',
  },
  packages: {
    id: 'package-texts',
    title: 'Package texts',
    intro: 'The texts of the cards and contract pages. Names and prices do not change.',
  },
  quote: {
    id: 'quote-choices',
    title: 'Quote form',
    intro: 'The texts of the package choices. Leads store the package itself, so earlier ones stay right.',
  },
  showcase: {
    id: 'showcase',
    title: 'Showcase',
    intro: 'The agency on the website: claims, links, work, reviews and faces. Empty parts do not show.',
  },
  company: {
    id: 'company',
    title: 'Company details',
    intro:
      'The party that customers sign with: shown at the foot of the website, on contracts and their copies, and under Privacy.',
  },
  week: {
    id: 'week-start',
    title: 'Week',
    intro: 'The day on which Entire Week and calendars begin, for all accounts.',
  },
  accounts: {
    id: 'accounts',
    title: 'Staff accounts',
    intro:
      'Who can sign in. Owners also keep these settings and erase people’s data; agents work with leads and chats.',
  },
  tokens: {
    id: 'api-tokens',
    title: 'API tokens',
    intro: 'Let other programs read and change leads, and read chats. Each has a token of its own.',
  },
  webhooks: {
    id: 'webhooks',
    title: 'Webhooks',
    intro: 'Send leads and chats to other programs as they happen.',
  },
} as const

export type SectionName = keyof typeof SECTIONS

/** The parts in order, grouped by subject. */
export const GROUPS: readonly { title: string; sections: readonly SectionName[] }[] = [
  { title: 'Answering', sections: ['hours', 'replies', 'templates', 'greetings', 'inboxes'] },
  { title: 'Website', sections: ['offer', 'packages', 'quote', 'showcase', 'company'] },
  { title: 'Team', sections: ['accounts', 'week'] },
  { title: 'Programs', sections: ['tokens', 'webhooks'] },
]
