/** The readable page of an export: plain HTML without scripts, which opens from a disk. */

import { AGENCY_TIME_ZONE } from '../../events/base/agency-day.ts'
import { HELD_TITLES, type HeldEntry } from '../../events/privacy/held.ts'

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)

const STYLE = `body{font:16px/1.5 sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;color:#16181f}
h1{font-size:1.5rem}article{border-top:1px solid #ccc;padding:.75rem 0}h2{font-size:1rem;margin:0}p{margin:.25rem 0;color:#50525c}
dl{display:grid;grid-template-columns:12rem 1fr;gap:0 1rem;margin:.25rem 0}dt{color:#50525c}
dd{margin:0;white-space:pre-line;overflow-wrap:anywhere}`

const moment = new Intl.DateTimeFormat('en-ZA', { timeZone: AGENCY_TIME_ZONE, dateStyle: 'long', timeStyle: 'short' })

/** The beginning of the page. `remarks` are sentences about the whole export. */
export const pageHead = ({
  name,
  agency,
  madeAt,
  remarks,
}: {
  name: string
  agency: string
  madeAt: Date
  remarks: readonly string[]
}): string => {
  const title = escapeHtml(`Personal data of ${name}`)
  return `<!doctype html><html lang="en-ZA"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style></head><body><h1>${title}</h1>
<p>Held by ${escapeHtml(agency)} on ${moment.format(madeAt)}. data.json has the same for programs; files are in the folder files.</p>
${remarks.map((remark) => `<p>${escapeHtml(remark)}</p>`).join('\n')}
`
}

/** One entry of the page. */
export const pageEntry = ({ group, timestamp, title, source, lines }: HeldEntry): string => {
  const origin = `${moment.format(new Date(timestamp))} · ${HELD_TITLES[group]} · ${source}`
  const list = lines.map(({ label, text }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(text)}</dd>`).join('')
  return `<article><h2>${escapeHtml(title)}</h2><p>${escapeHtml(origin)}</p>${list && `<dl>${list}</dl>`}</article>\n`
}

export const PAGE_END = '</body></html>\n'
