import { screen, within } from '@testing-library/react'
import { PARTS } from '../../events/settings/parts.ts'
import { DEFAULT_SETTINGS } from '../../events/settings/settings.ts'
import type { ApiToken } from '../../events/staff/api-token-wire.ts'
import type { Account } from '../../events/staff/wire.ts'
import type { Webhook } from '../../events/webhook/wire.ts'
import type { Section } from '../routes/admin-settings/use-settings-form.ts'
import { SETTINGS_PATH, type SectionId, sectionPath } from '../staff/settings/section-titles.ts'
import { useSettings } from '../staff/settings/settings.ts'
import { SIPHO, THANDI } from './answers.ts'
import { openPart, openScreen } from './screen.tsx'
import { type Answer, problem, type Sent } from './server.ts'

type StoredSettings = Omit<typeof DEFAULT_SETTINGS, 'supportHours' | 'inboxAddresses' | 'company'> & {
  supportHours: object
  inboxAddresses: string[]
  company: object
}

/** A server that stores settings: it refuses changes on top of an older version, as the API does. */
export const settingsServer = (changed: object = {}) => {
  let stored = { ...DEFAULT_SETTINGS, ...changed } as StoredSettings
  const put = (name: string, form: object) => {
    const [key = '', part] = Object.entries(PARTS).find(([, each]) => each.name === name) ?? []
    stored = { ...stored, [key]: part?.apply(form as never, {} as never), version: stored.version + 1 }
  }
  return {
    stored: () => stored,
    /** Saves as another owner, during an edit. */
    saveElsewhere: put,
    answers: {
      'GET /api/settings': () => stored,
      'PUT /api/settings/*': ({ path, body, headers }: Sent) => {
        if (headers.get('if-match') !== `"${stored.version}"`) return problem(409, { settings: stored, by: 'sipho' })
        put(path.split('/').at(-1) ?? '', body as object)
        return stored
      },
    } satisfies Record<string, Answer>,
  }
}

const accountOf = ({ photo: _, ...person }: typeof THANDI | typeof SIPHO): Account => ({
  ...person,
  createdAt: '2026-01-05T08:00:00.000Z',
  hasTwoFactor: false,
})

export const ACCOUNTS: Account[] = [accountOf(SIPHO), accountOf(THANDI)]

export const testToken = (made: Partial<ApiToken> = {}): ApiToken => ({
  id: '0c7e8a06-7b0b-4a3e-9b53-0c36dd1b2a11',
  name: 'Bookkeeping',
  scopes: ['leads:read'],
  prefix: 'agency_abc12345',
  madeBy: 'Thandi',
  madeById: THANDI.id,
  madeAt: '2026-01-05T08:00:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
  isEndedByRestore: false,
  ...made,
})

export const testWebhook = (made: Partial<Webhook> = {}): Webhook => ({
  id: '9a0a0c1e-4d7a-4f5e-8a0b-3f8e5a2c6d01',
  url: 'https://books.example/hook',
  topics: ['lead.created', 'lead.won'],
  madeBy: 'Thandi',
  madeById: THANDI.id,
  madeAt: '2026-01-05T08:00:00.000Z',
  isPaused: false,
  isFailed: false,
  isGone: false,
  isPausedByRestore: false,
  failingSince: null,
  waiting: 0,
  ...made,
})

/** Opens a section of an owner's settings, otherwise the first one. */
export const openSettings = async (answers: Record<string, Answer> = {}, section?: SectionId) => {
  const opened = await openScreen(section ? sectionPath(section) : SETTINGS_PATH, answers)
  await screen.findByRole('form')
  return opened
}

const Part = ({ section: { Form } }: { section: Section }) => {
  const { data } = useSettings()
  return data ? <Form settings={data} accountId={THANDI.id} /> : null
}

/** Opens one form of the settings alone. */
export const openForm = async (section: Section, answers: Record<string, Answer> = {}) => {
  const opened = openPart(<Part section={section} />, answers)
  return { ...opened, form: within(await screen.findByRole('form')) }
}

/** A form of the settings; found by its name alone, which is quicker on this long screen than by role. */
export const formOf = (name: string) => within(screen.getByLabelText(name, { selector: 'form' }))

/** A button of a form or a dialog. */
export const button = (inside: Pick<ReturnType<typeof within>, 'getByRole'>, name: string | RegExp) =>
  inside.getByRole('button', { name })
