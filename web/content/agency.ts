/**
 * The agency's particulars, which a node fills in when it loads the pages: those of the operator's `AGENCY_*` variables,
 * and in words the support hours that owners have set. `phone` is for people, `dial` the same number for `tel:` links,
 * `whatsapp` the digits that WhatsApp's links take.
 */
export type Agency = {
  name: string
  email: string
  phone: string
  dial: string
  whatsapp: string
  publicUrl: string
  supportHours: string
}

/** The values in the pages as built; a node replaces them by the agency's own. */
const placeholders: Agency = {
  name: '{{AGENCY_NAME}}',
  email: '{{AGENCY_EMAIL}}',
  phone: '{{AGENCY_PHONE}}',
  dial: '{{AGENCY_DIAL}}',
  whatsapp: '{{AGENCY_WHATSAPP}}',
  publicUrl: '{{PUBLIC_URL}}',
  supportHours: '{{SUPPORT_HOURS}}',
}

/** The element of every page that passes the agency's details to scripts. */
export const AGENCY_ELEMENT_ID = 'agency'

let known: Agency | undefined

/** The particulars: placeholders while a page is built, the operator's values in a browser. */
export const agency = (): Agency => {
  if (typeof document === 'undefined') return placeholders
  known ??= JSON.parse(document.getElementById(AGENCY_ELEMENT_ID)?.textContent ?? 'null') ?? placeholders
  return known as Agency
}

export const whatsappLink = (message: string) =>
  `https://wa.me/${agency().whatsapp}?text=${encodeURIComponent(message)}`
