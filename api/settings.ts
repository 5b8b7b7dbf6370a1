import { isDeepStrictEqual } from 'node:util'
import type { Context } from 'hono'
import * as v from 'valibot'
import type { Sent } from '../events/base/word.ts'
import { handle } from '../events/log/handle.ts'
import { readKnown } from '../events/log/read.ts'
import { chatGreeting } from '../events/settings/chat-greetings.ts'
import { offerWire } from '../events/settings/offer.ts'
import { PARTS } from '../events/settings/parts.ts'
import {
  evolveSettings,
  type Part,
  SETTINGS_STREAM,
  type Settings,
  type SettingsChange,
  type SettingsEvent,
} from '../events/settings/settings.ts'
import type { Showcase } from '../events/settings/showcase.ts'
import { siteContentAt } from '../events/settings/site-content.ts'
import { SETTINGS_CHANNEL } from '../events/settings/store/live-settings.ts'
import * as wireHours from '../events/settings/support-hours-wire.ts'
import type { HoursOfDay, SupportHours } from '../events/settings/support-time.ts'
import * as wire from '../events/settings/wire.ts'
import { invalidField, RequestError } from './http/errors.ts'
import { route } from './http/route.ts'
import type { ApiNode } from './node/node.ts'
import { photoFlaw } from './staff/photos.ts'
import { staffNames } from './staff/staff.ts'

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

/** The settings as the API returns them. */
const sent = (settings: Settings): Sent<typeof wire.settings> => ({
  ...settings,
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
    handler: ({ node: { settings, config }, c }) => {
      c.header('Cache-Control', 'no-cache')
      const { reachesPeople } = config
      return { ...sentHours(settings.current.supportHours), ...(reachesPeople !== undefined && { reachesPeople }) }
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
