import { asSearched, holdsAll, searchedLines, searchedWords } from '../../../events/lead/search/searched-text.ts'
import { QUEUE_BOARD_PATH } from '../account/sign-in-address.ts'
import { PRESET_VIEWS } from '../leads/list/preset-views.ts'
import { flaggedInWords, quarantinePath } from '../leads/quarantine/quarantine.ts'
import { SETTINGS_SCREENS, SETTINGS_SECTIONS, sectionPath } from '../settings/section-titles.ts'

/** A destination by its name. `words` are other names that find it. */
export type Entry = { name: string; to: string; words?: string }

const WORDS: Partial<Record<(typeof SETTINGS_SCREENS)[number]['path'], string>> = {
  '/admin-email': 'outbox',
  '/admin-webhooks': 'programs api deliveries',
  '/admin-api': 'programs openapi try',
  '/admin-account-history': 'account history',
}

/** The screens in the index of the settings, for owners only or for all; the queues have a page of the nodes' own. */
const settingsScreens = (isForOwners: boolean): Entry[] =>
  SETTINGS_SCREENS.filter((screen) => screen.isForOwners === isForOwners && screen.path !== QUEUE_BOARD_PATH).map(
    ({ title, path }) => ({ name: title, to: path, words: WORDS[path] ?? '' }),
  )

export const SCREEN_ENTRIES: readonly Entry[] = [
  { name: 'Today', to: '/admin-today' },
  { name: 'Leads', to: '/admin-dashboard', words: 'dashboard list' },
  { name: 'Pipeline', to: '/admin-pipeline', words: 'board stages forecast' },
  { name: 'Quarantine', to: quarantinePath(), words: 'spam flagged' },
  { name: 'Submissions', to: '/admin-submissions', words: 'forms all leads' },
  { name: 'Chat', to: '/admin-chat', words: 'live' },
  { name: 'Contracts', to: '/admin-contracts', words: 'clients signed revenue' },
  { name: 'Overview', to: '/admin-overview', words: 'charts figures conversion' },
  { name: 'Settings', to: '/admin-settings' },
  ...settingsScreens(false),
  { name: 'Your account', to: '/admin-account', words: 'password sessions two-factor alerts' },
]

/** The section that only owners see. */
export const ACCOUNTS_PATH = sectionPath('accounts')

export const SETTINGS_ENTRIES: readonly Entry[] = SETTINGS_SECTIONS.map(({ id, title }) => ({
  name: `Settings › ${title}`,
  to: sectionPath(id),
}))

export const OWNER_ENTRIES: readonly Entry[] = [
  { name: 'Privacy', to: '/admin-privacy', words: 'popia person data export erase requests' },
  ...settingsScreens(true),
]

const viewAddress = (query: string) => `/admin-dashboard?${query}`

export const viewEntries = (views: readonly { name: string; query: string }[]): Entry[] =>
  [...PRESET_VIEWS, ...views].map(({ name, query }) => ({ name, to: viewAddress(query), words: 'view leads' }))

export const personEntry = ({ id, displayName }: { id: string; displayName: string }): Entry => ({
  name: `Leads of ${displayName}`,
  to: viewAddress(new URLSearchParams({ period: 'all', owner: id }).toString()),
})

export const searchEntry = (text: string): Entry => ({
  name: `All leads with "${text}"`,
  to: viewAddress(new URLSearchParams({ period: 'all', q: text }).toString()),
})

/** The flagged leads that match a text, which are in no other list. */
export const flaggedEntry = (count: number, text: string): Entry => ({
  name: flaggedInWords(count, text),
  to: quarantinePath({ isAll: true, term: text }),
})

export const fits = ({ name, words }: Entry, text: string): boolean =>
  holdsAll(searchedLines([name, words]), searchedWords(text))

/** Whether a word of a name begins with a text. */
export const hasWordAs = (name: string, text: string): boolean =>
  ` ${asSearched(name)}`.includes(` ${asSearched(text)}`)
