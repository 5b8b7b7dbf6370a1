import { isDeepStrictEqual } from 'node:util'
import type { Context } from 'hono'
import * as v from 'valibot'
import type { Sent } from '../events/base/word.ts'
import { handle } from '../events/log/handle.ts'
import { readKnown } from '../events/log/read.ts'
import { answerTemplatesChanged, answerTemplatesForm } from '../events/settings/answer-templates.ts'
import { cannedRepliesChanged, cannedRepliesForm } from '../events/settings/canned-replies.ts'
import { chatGreeting, chatGreetingsChanged, chatGreetingsForm } from '../events/settings/chat-greetings.ts'
import { companyDetailsChanged, companyForm } from '../events/settings/company.ts'
import { offer, offerChanged, offerForm } from '../events/settings/offer.ts'
import { packageTextsChanged, packageTextsForm } from '../events/settings/package-texts.ts'
import { quoteChoicesChanged, quoteChoicesForm } from '../events/settings/quote-choices.ts'
import {
  evolveSettings,
  inboxAddressesChanged,
  inboxAddressesForm,
  SETTINGS_STREAM,
  type Settings,
  type SettingsChange,
  type SettingsEvent,
} from '../events/settings/settings.ts'
import { type Showcase, showcaseChanged, showcaseForm } from '../events/settings/showcase.ts'
import { siteContentAt } from '../events/settings/site-content.ts'
import { SETTINGS_CHANNEL } from '../events/settings/store/live-settings.ts'
import type { HoursOfDay, SupportHours } from '../events/settings/support-hours.ts'
import { supportHoursChanged, supportHoursForm } from '../events/settings/support-hours-form.ts'
import * as wireHours from '../events/settings/support-hours-wire.ts'
import { weekStartChanged, weekStartForm } from '../events/settings/week-start.ts'
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
const put = <Form extends v.GenericSchema<unknown, object>>(
  part: string,
  summary: string,
  form: Form,
  changed: (data: v.InferOutput<Form> & { by: string }) => SettingsChange,
) =>
  route('PUT', `/api/settings/${part}`, {
    access: 'owners',
    ...(part === 'inbox-addresses' && { isConfirmed: true as const }),
    summary,
    body: form,
    answer: wire.settings,
    mayConflict: true,
    headers: { 'If-Match': 'The version of the settings that the change is based on, such as "3"; 428 without it.' },
    handler: async ({ node, c, body }) => {
      const data = { ...(body as v.InferOutput<Form>), by: c.get('staff').id }
      return returned(c, await change(node, seenVersion(c), changed(data)))
    },
  })

const siteContent = v.object({
  offer: v.nullable(offer),
  showcase: v.looseObject({}),
  packageTexts: v.looseObject({}),
  quoteLabels: v.looseObject({}),
  chatGreetings: v.array(chatGreeting),
  company: v.looseObject({}),
})

/** Staff read the settings, owners change them part by part. Anyone may read those that the public pages show. */
export const settingsRoutes = [
  route('GET', '/api/settings', {
    access: 'staff',
    summary: 'All settings',
    answer: wire.settings,
    handler: async ({ node, c }) => returned(c, await node.settings.refresh()),
  }),
  put('support-hours', 'Sets the support hours', supportHoursForm, supportHoursChanged),
  put('canned-replies', 'Sets the canned replies', cannedRepliesForm, cannedRepliesChanged),
  put('inbox-addresses', 'Sets the addresses that get signed contracts', inboxAddressesForm, inboxAddressesChanged),
  put('offer', 'Sets the offer', offerForm, offerChanged),
  put('showcase', 'Sets the agency’s people, links and figures on the website', showcaseForm, (showcase) => {
    expectPhotos(showcase)
    return showcaseChanged(showcase)
  }),
  put('package-texts', 'Sets the texts of packages', packageTextsForm, packageTextsChanged),
  put('answer-templates', 'Sets the templates of answers', answerTemplatesForm, answerTemplatesChanged),
  put('quote-choices', 'Sets the choices of the quote form', quoteChoicesForm, quoteChoicesChanged),
  put('chat-greetings', 'Sets the messages next to the chat button', chatGreetingsForm, chatGreetingsChanged),
  put('company', 'Sets the legal details of the agency, and its guarantee', companyForm, companyDetailsChanged),
  put('week-start', 'Sets the day on which weeks begin', weekStartForm, weekStartChanged),
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
