import { QUEUE_BOARD_PATH } from '../account/sign-in-address.ts'

/** The sections of the settings by subject. Each has an address of its own. */
export const SETTINGS_GROUPS = [
  {
    title: 'Website',
    sections: [
      { id: 'packages', title: 'Packages' },
      { id: 'offer', title: 'Offer' },
      { id: 'quote-choices', title: 'Quote form' },
      { id: 'showcase', title: 'Showcase' },
      { id: 'company', title: 'Company details' },
    ],
  },
  {
    title: 'Answering',
    sections: [
      { id: 'support-hours', title: 'Support hours' },
      { id: 'replies', title: 'Replies' },
      { id: 'chat-greetings', title: 'Chat greetings' },
      { id: 'inbox-addresses', title: 'Inbox addresses' },
    ],
  },
  {
    title: 'Team',
    sections: [
      { id: 'accounts', title: 'Staff accounts' },
      { id: 'week-start', title: 'Week' },
      { id: 'retention', title: 'How long data is stored' },
    ],
  },
  {
    title: 'Connections',
    sections: [
      { id: 'email', title: 'Email' },
      { id: 'api-tokens', title: 'API tokens' },
      { id: 'webhooks', title: 'Webhooks' },
    ],
  },
] as const

export type SectionId = (typeof SETTINGS_GROUPS)[number]['sections'][number]['id']

type Titled = { id: SectionId; title: string }

export const SETTINGS_SECTIONS = SETTINGS_GROUPS.flatMap(({ sections }): readonly Titled[] => sections)

/** The settings; the address shows the first section. */
export const SETTINGS_PATH = '/admin-settings'

export const sectionPath = (id: SectionId) => `${SETTINGS_PATH}/${id}`

export const sectionTitle = (id: SectionId) => SETTINGS_SECTIONS.find((section) => section.id === id)?.title ?? ''

/** The screens of the settings that are no sections, by group; some are for owners. */
export const SETTINGS_SCREENS = [
  { group: 'Connections', path: '/admin-email', title: 'Email log', isForOwners: false },
  { group: 'For developers', path: '/admin-webhooks', title: 'Webhook log', isForOwners: false },
  { group: 'For developers', path: '/admin-api', title: 'API', isForOwners: false },
  { group: 'For developers', path: '/admin-account-history', title: 'Sign-ins', isForOwners: true },
  { group: 'For developers', path: QUEUE_BOARD_PATH, title: 'Queues', isForOwners: true },
] as const

export const isSettingsPath = (pathname: string) =>
  `${pathname}/`.startsWith(`${SETTINGS_PATH}/`) || SETTINGS_SCREENS.some(({ path }) => path === pathname)
