import { isDeepStrictEqual } from 'node:util'
import type { Context } from 'hono'
import * as v from 'valibot'
import type { Sent } from '../events/base/word.ts'
import { keysOf } from '../events/chat/store/keys.ts'
import {
  addServerPassword,
  deleteOldServerPasswords,
  readServerPassword,
  serverPasswordClock,
} from '../events/email/store/server-password.ts'
import { handle } from '../events/log/handle.ts'
import { readKnown } from '../events/log/read.ts'
import { isInnerHost } from '../events/process/public-address.ts'
import { chatGreeting } from '../events/settings/chat-greetings.ts'
import {
  type EmailServer,
  type EmailServerForm,
  emailServerPart,
  type emailServerWire,
} from '../events/settings/email-server.ts'
import { offerWire } from '../events/settings/offer.ts'
import { PARTS } from '../events/settings/parts.ts'
import { siteContentAt } from '../events/settings/rendered-content.ts'
import {
  evolveSettings,
  type Part,
  SETTINGS_STREAM,
  type Settings,
  type SettingsChange,
  type SettingsEvent,
} from '../events/settings/settings.ts'
import type { Showcase } from '../events/settings/showcase.ts'
import { SETTINGS_CHANNEL } from '../events/settings/store/live-settings.ts'
import * as wireHours from '../events/settings/support-hours-wire.ts'
import type { HoursOfDay, SupportHours } from '../events/settings/support-time.ts'
import * as wire from '../events/settings/wire.ts'
import { waysOf } from './email/ways.ts'
import { invalidField, RequestError } from './http/errors.ts'
import { route } from './http/route.ts'
import type { ApiNode } from './node/node.ts'
import { photoFlaw } from './staff/photos.ts'
import { type StaffEnv, staffNames } from './staff/staff.ts'

/** The version of the settings that the author of a change saw. */
const seenVersion = (c: Context) => {
  const [, version] = /^"(\d{1,9})"$/.exec(c.req.header('if-match') ?? '') ?? []
  if (version !== undefined) return Number(version)
  throw new RequestError('precondition_required', 'Send If-Match with the version that you read, such as "3"')
}

const sentHoursOfDay = <Hours extends HoursOfDay>({ second, ...hours }: Hours) => ({
  ...hours,
  ...(second && { second }),
})

const sentHours = ({ days, byDay, closures, ...hours }: SupportHours): Sent<typeof wireHours.supportHours> => ({
  ...sentHoursOfDay(hours),
  days: [...days],
  ...(byDay && { byDay: byDay.map(sentHoursOfDay) }),
  ...(closures && { closures: [...closures] }),
})

/** The mail server, without any part of its password. */
const sentServer = (server: EmailServer | null): Sent<typeof emailServerWire> => {
  if (!server) return null
  const { passwordId, ...shown } = server
  return { ...shown, hasPassword: passwordId !== null }
}

/** The settings as the API returns them. */
const sent = (settings: Settings): Sent<typeof wire.settings> => ({
  ...settings,
  emailServer: sentServer(settings.emailServer),
  supportHours: sentHours(settings.supportHours),
  supportHoursHistory: settings.supportHoursHistory.map(({ validFrom, hours }) => ({
    validFrom: validFrom.toISOString(),
    hours: sentHours(hours),
  })),
})

/** The error if another owner has changed the same part since then. */
const conflict = async (node: ApiNode, settings: Settings, { data }: SettingsEvent) => {
  const names = await staffNames(node.sql)
  return new RequestError('conflict', 'Another person has saved these settings since you loaded them', {
    members: { settings: sent(settings), by: names.get(data.by) ?? null } satisfies Sent<typeof wire.settingsConflict>,
  })
}

/** The parts of the settings that owners set. */
const partsOf = ({ version: _, supportHoursHistory: __, ...parts }: Settings) => parts

/**
 * Appends a change to the current settings, unless another owner has changed the same part of them since the version
 * that the author saw. A change without effect, such as one that is sent again, is not stored.
 */
const change = async (node: ApiNode, seen: number, wanted: SettingsChange): Promise<Settings> => {
  const { known, appended } = await handle(node.log, {
    read: async () => {
      const settings = await node.settings.refresh()
      return { settings, stream: SETTINGS_STREAM, version: settings.version }
    },
    decide: async ({ settings }) => {
      const after = evolveSettings(settings, { ...wanted, version: settings.version + 1, recordedAt: new Date() })
      if (isDeepStrictEqual(partsOf(after), partsOf(settings))) return undefined
      const since = await readKnown(node.sql, SETTINGS_STREAM, { after: seen })
      const other = since.events.findLast(({ type }) => type === wanted.type)
      if (other) throw await conflict(node, settings, other)
      return wanted
    },
  })
  if (!appended) return known.settings
  const stored = await node.settings.refresh()
  node.bus.publish(SETTINGS_CHANNEL, String(stored.version))
  return stored
}

const returned = (c: Context, settings: Settings) => {
  c.header('ETag', `"${settings.version}"`)
  return sent(settings)
}

/** Refuses photos that visitors' browsers cannot show reliably. */
const expectPhotos = ({ people }: Showcase) => {
  for (const [index, { photo }] of people.entries()) {
    const flaw = photo ? photoFlaw(photo) : undefined
    if (flaw) throw invalidField(`people.${index}.photo`, flaw)
  }
}

const isSameServer = (before: EmailServer, { host, port, username }: EmailServerForm) =>
  before.host === host && before.port === port && before.username === username

/**
 * The mail server that a form describes, with its password stored. The one that is set stays only for the same server
 * and user name: it is never sent elsewhere than where its owner meant it to go.
 */
const storedServer = async (node: ApiNode, form: EmailServerForm): Promise<EmailServer | null> => {
  const { host, port, username, password, from } = form
  if (host === '') return null
  if (isInnerHost(host) && !node.config.pushTestOrigins.includes(`http://${host}:${port}`))
    throw invalidField('host', 'Must be a host on the internet. For one in your own network set SMTP_URL')
  const server = { host, port, username, from, passwordId: null }
  if (username === '' && password) throw invalidField('username', 'Enter the user name')
  if (username === '') return server
  const { ring } = keysOf(node.sql)
  const { emailServer: before } = await node.settings.refresh()
  const known = before?.passwordId
  const isKnown = before && known && isSameServer(before, form)
  if (password === null || password === '') {
    if (!isKnown)
      throw invalidField('password', known ? 'Enter the password for this server again' : 'Enter the password')
    return { ...server, passwordId: known }
  }
  const isRepeated = isKnown && (await readServerPassword(node.sql, ring, known)) === password
  return { ...server, passwordId: isRepeated ? known : await addServerPassword(node.sql, ring, password) }
}

/** Changes the mail server, and deletes the password that it replaces. */
const changeServer = async (node: ApiNode, c: Context<StaffEnv>, form: EmailServerForm) => {
  if (node.config.hasServerVariable)
    throw new RequestError('conflict', 'SMTP_URL is set in the environment, so these settings have no effect')
  const seen = seenVersion(c)
  const before = await serverPasswordClock(node.sql)
  const server = await storedServer(node, form)
  const changed = await change(node, seen, emailServerPart.changed({ server, by: c.get('staff').id }))
  await deleteOldServerPasswords(node.sql, { currentId: changed.emailServer?.passwordId ?? null, before })
  return changed
}

/** Changes a part of the settings. */
const put = ({ name, summary, form, changed, isConfirmed }: Part & { isConfirmed?: true }) =>
  route('PUT', `/api/settings/${name}`, {
    access: 'owners',
    ...(isConfirmed && { isConfirmed }),
    summary,
    body: form,
    answer: wire.settings,
    mayConflict: true,
    headers: { 'If-Match': 'The version of the settings that the change is based on, such as "3"; 428 without it.' },
    handler: async ({ node, c, body }) => {
      if (name === 'email') return returned(c, await changeServer(node, c, body as EmailServerForm))
      if (name === 'showcase') expectPhotos(body as Showcase)
      const data = { ...(body as object), by: c.get('staff').id }
      return returned(c, await change(node, seenVersion(c), changed(data as never)))
    },
  })

const siteContent = v.object({
  offer: offerWire,
  showcase: v.looseObject({}),
  packages: v.looseObject({}),
  quoteLabels: v.looseObject({}),
  chatGreetings: v.array(chatGreeting),
  company: v.looseObject({}),
  retention: v.looseObject({}),
})

/** Staff read the settings, owners change them part by part. Anyone may read those that the public pages show. */
export const settingsRoutes = [
  route('GET', '/api/settings', {
    access: 'staff',
    summary: 'All settings',
    answer: wire.settings,
    handler: async ({ node, c }) => returned(c, await node.settings.refresh()),
  }),
  ...Object.values(PARTS).map(put),
  route('GET', '/api/support-hours', {
    access: 'anyone',
    summary: 'The hours in which staff answer',
    answer: wireHours.publicHours,
    handler: ({ node, c }) => {
      c.header('Cache-Control', 'no-cache')
      const { reachesPeople } = waysOf(node)
      return { ...sentHours(node.settings.current.supportHours), ...(reachesPeople !== undefined && { reachesPeople }) }
    },
  }),
  route('GET', '/api/site-content', {
    access: 'anyone',
    summary: 'The content of the public pages that owners have set',
    answer: siteContent,
    handler: ({ node, c }) => {
      c.header('Cache-Control', 'no-cache')
      return siteContentAt(node.settings.current, new Date())
    },
  }),
]
