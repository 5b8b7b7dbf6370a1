import { dialledDigits, dialledOf, phoneKey } from '../events/base/phone.ts'
import { copyInWords } from '../events/lead/email/copy.ts'
import type { Settings } from '../events/settings/settings.ts'
import { hoursInWords, openingHours } from '../events/settings/support-time.ts'
import type { Config } from './node/config.ts'

type Escape = (text: string) => string

const escapeHtml: Escape = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/** For the inside of a JSON string, which may be within a script element. */
const escapeJson: Escape = (text) => JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c')

const asItIs: Escape = (text) => text

const TOKEN = /\{\{([A-Z_]+)\}\}/g
const JSON_ELEMENT_OR_TOKEN = /(<script type="application\/(?:ld\+)?json"[^>]*>)([^<]*)|\{\{[A-Z_]+\}\}/g

/** The agency's particulars by the names of their tokens. WhatsApp's links contain only digits. */
export const particulars = (
  { agency, publicUrl, analyticsId, sendsEmail }: Config,
  { supportHours, emailServer }: Pick<Settings, 'supportHours' | 'emailServer'>,
): Record<string, string> => ({
  AGENCY_NAME: agency.name,
  AGENCY_EMAIL: agency.email,
  AGENCY_PHONE: agency.phone,
  AGENCY_DIAL: dialledOf(agency.phone),
  AGENCY_WHATSAPP: phoneKey(agency.whatsapp) ?? dialledDigits(agency.whatsapp),
  PUBLIC_URL: publicUrl,
  ANALYTICS_ID: analyticsId ?? '',
  SUPPORT_HOURS: hoursInWords(supportHours),
  OPENING_HOURS: openingHours(supportHours),
  CONTRACT_COPY: copyInWords(emailServer !== null || sendsEmail === true),
  ARRIVAL: 'direct',
})

/** Fills in the agency's particulars: one build serves any agency. */
export const fillIn = (text: string, values: Record<string, string>, written: Escape) =>
  text.replace(TOKEN, (token, name) => (name in values ? written(values[name] ?? '') : token))

/** The same for a page, each part by its own rules. In one pass: a name that looks like a token stays unchanged. */
export const fillInHtml = (html: string, values: Record<string, string>) =>
  html.replace(JSON_ELEMENT_OR_TOKEN, (token, open, json) =>
    open ? open + fillIn(json, values, escapeJson) : fillIn(token, values, escapeHtml),
  )

/** The files at the root that contain the agency's name, each with its way of escaping it. */
export const FILLED_FILES: Record<string, Escape> = {
  '.json': escapeJson,
  '.txt': asItIs,
  '.webmanifest': escapeJson,
  '.xml': escapeHtml,
}
