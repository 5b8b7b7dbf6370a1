import { isDeepStrictEqual } from 'node:util'
import { type Context, Hono } from 'hono'
import type * as v from 'valibot'
import { answerTemplatesChanged, answerTemplatesForm } from '../events/answer-templates.ts'
import { cannedRepliesChanged, cannedRepliesForm } from '../events/canned-reply.ts'
import { chatGreetingsChanged, chatGreetingsForm } from '../events/chat-greetings.ts'
import { companyDetailsChanged, companyForm } from '../events/company.ts'
import { handle } from '../events/log/handle.ts'
import { SETTINGS_CHANNEL } from '../events/log/live-settings.ts'
import { readKnown } from '../events/log/read.ts'
import { offerChanged, offerForm } from '../events/offer.ts'
import { packageTextsChanged, packageTextsForm } from '../events/package-texts.ts'
import { quoteChoicesChanged, quoteChoicesForm } from '../events/quote-choices.ts'
import {
  evolveSettings,
  inboxAddressesChanged,
  inboxAddressesForm,
  SETTINGS_STREAM,
  type Settings,
  type SettingsChange,
  type SettingsEvent,
} from '../events/settings.ts'
import { type Showcase, showcaseChanged, showcaseForm } from '../events/showcase.ts'
import { siteContentAt } from '../events/site-content.ts'
import type { HoursOfDay, SupportHours } from '../events/support-hours.ts'
import { supportHoursChanged, supportHoursForm } from '../events/support-hours-form.ts'
import { weekStartChanged, weekStartForm } from '../events/week-start.ts'
import type * as wire from '../events/wire/settings.ts'
import type * as wireHours from '../events/wire/support-hours.ts'
import type { Sent } from '../events/wire/word.ts'
import { readBody } from './body.ts'
import { invalidField, RequestError } from './errors.ts'
import type { ApiNode } from './node.ts'
import { photoFlaw } from './photos.ts'
import { requireConfirmed } from './staff/confirmation.ts'
import { requireOwner, requireStaff, type StaffEnv, staffNames } from './staff/staff.ts'

/** The version that a change was made on: that of the settings which its author saw. */
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

/** The settings as they are answered. */
const sent = (settings: Settings): Sent<typeof wire.settings> => ({
  ...settings,
  supportHours: sentHours(settings.supportHours),
  supportHoursHistory: settings.supportHoursHistory.map(({ validFrom, hours }) => ({
    validFrom: validFrom.toISOString(),
    hours: sentHours(hours),
  })),
})

/** Who else has changed the same since. */
const conflict = async (node: ApiNode, settings: Settings, { data }: SettingsEvent) => {
  const names = await staffNames(node.sql)
  return new RequestError('conflict', 'Somebody else has saved these settings meanwhile', {
    members: { settings: sent(settings), by: names.get(data.by) ?? null } satisfies Sent<typeof wire.settingsConflict>,
  })
}

/** What owners set, as it is. */
const partsOf = ({ version: _, supportHoursHistory: __, ...parts }: Settings) => parts

/**
 * Appends a change to the settings as they are, unless somebody else has changed the same part of them since the
 * version that the author saw. A change that changes nothing, such as one that is sent again, is not stored.
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

const answer = (c: Context, settings: Settings) => {
  c.header('ETag', `"${settings.version}"`)
  return c.json(sent(settings))
}

/** Refuses photos that visitors' browsers cannot show, or not without trouble. */
const expectPhotos = ({ people }: Showcase) => {
  for (const [index, { photo }] of people.entries()) {
    const flaw = photo ? photoFlaw(photo) : undefined
    if (flaw) throw invalidField(`people.${index}.photo`, flaw)
  }
}

/** Changes a part of the settings to what was sent. */
const put =
  <Form extends v.GenericSchema<unknown, object>>(
    node: ApiNode,
    form: Form,
    changed: (data: v.InferOutput<Form> & { by: string }) => SettingsChange,
  ) =>
  async (c: Context<StaffEnv>) => {
    const data = { ...(await readBody(c, form)), by: c.get('staff').id }
    return answer(c, await change(node, seenVersion(c), changed(data)))
  }

/** `/api/settings`: staff read them, owners change them part by part. */
export const settingsRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>()
    .use(requireStaff(node))
    .get('/', async (c) => answer(c, await node.settings.refresh()))
    .use(requireOwner)
    .put('/support-hours', put(node, supportHoursForm, supportHoursChanged))
    .put('/canned-replies', put(node, cannedRepliesForm, cannedRepliesChanged))
    .put('/inbox-addresses', requireConfirmed, put(node, inboxAddressesForm, inboxAddressesChanged))
    .put('/offer', put(node, offerForm, offerChanged))
    .put(
      '/showcase',
      put(node, showcaseForm, (showcase) => {
        expectPhotos(showcase)
        return showcaseChanged(showcase)
      }),
    )
    .put('/package-texts', put(node, packageTextsForm, packageTextsChanged))
    .put('/answer-templates', put(node, answerTemplatesForm, answerTemplatesChanged))
    .put('/quote-choices', put(node, quoteChoicesForm, quoteChoicesChanged))
    .put('/chat-greetings', put(node, chatGreetingsForm, chatGreetingsChanged))
    .put('/company', put(node, companyForm, companyDetailsChanged))
    .put('/week-start', put(node, weekStartForm, weekStartChanged))

/** `/api/support-hours`: anyone may know when somebody answers, and whether an email can bring the answer. */
export const supportHoursRoutes = ({ settings, config: { reachesPeople } }: ApiNode) =>
  new Hono().get('/', (c) => {
    c.header('Cache-Control', 'no-cache')
    return c.json({
      ...sentHours(settings.current.supportHours),
      ...(reachesPeople !== undefined && { reachesPeople }),
    } satisfies Sent<typeof wireHours.publicHours>)
  })

/** `/api/site-content`: what owners have set of the public pages, as it holds now. All of it is in the pages. */
export const siteContentRoutes = ({ settings }: ApiNode) =>
  new Hono().get('/', (c) => {
    c.header('Cache-Control', 'no-cache')
    return c.json(siteContentAt(settings.current, new Date()))
  })
