import { readFile } from 'node:fs/promises'

/** The picture's name within an email: it is attached, so that mail programs need not fetch it. */
const HORIZON_CID = 'horizon'

/** The size on screen; the file has two pixels for one. */
const HORIZON_PX = { width: 600, height: 64 }

/** An address, without the full stop or bracket that closes the sentence around it. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?'()[\]{}])/

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)

/** A reference (events/base/reference.ts) is emphasised, and stays on one line. */
const REFERENCE = /\b[0-9A-F]{4}(?:-[0-9A-F]{4}){1,2}\b/g

const withBoldReference = (html: string) => html.replace(REFERENCE, '<b style="white-space:nowrap">$&</b>')

const SOFT = 'color:#50525c'

/** A link shows where it leads: its text is its address. */
const linked = (text: string) =>
  text
    .split(ADDRESS)
    .map((part, index) => {
      const shown = escapeHtml(part)
      return index % 2 === 1 ? `<a href="${shown}" style="color:#2136c4">${shown}</a>` : withBoldReference(shown)
    })
    .join('')

/** A label, such as `Phone:`. */
const LABEL = /^\p{L}[\p{L} ]{1,20}:(?= \S)/u

/** The line above a message of a chat: its time and its author. */
const MESSAGE_HEAD = /^\d\d:\d\d \S.*$/

/** A list of values has soft labels, and a message a soft line above it. */
const lines = (text: string) => {
  const all = text.split('\n')
  const isList = all.length > 1 && all.every((line) => LABEL.test(line))
  return all.map((line, index) => {
    if (isList) return linked(line).replace(LABEL, `<span style="${SOFT}">$&</span>`)
    const isHead = index === 0 && all.length > 1 && MESSAGE_HEAD.test(line)
    return isHead ? `<span style="${SOFT};font-size:14px">${linked(line)}</span>` : linked(line)
  })
}

const paragraph = (text: string) => `<p dir="auto" style="margin:0 0 16px">${lines(text).join('<br>')}</p>`

const paragraphsOf = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/\n{2,}/)

/**
 * An email to a visitor as HTML: the same words as its text, on the website's background colour, above its horizon. All
 * typed text is escaped.
 */
export const letterOf = (text: string, agencyName: string) => `<!doctype html>
<html lang="en-ZA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
</head>
<body style="margin:0;background:#fbf8f2">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#fbf8f2"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:${HORIZON_PX.width}px">
<tr><td style="padding:0 8px 20px;font:700 22px/1.3 Georgia,'Times New Roman',serif;color:#16181f">${escapeHtml(agencyName)}</td></tr>
<tr><td style="padding:28px 24px 12px;background:#ffffff;border:1px solid #ded7c8;border-top:4px solid #f6a52c;border-radius:10px;font:16px/1.6 'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#16181f;word-break:break-word">
${paragraphsOf(text).map(paragraph).join('\n')}
</td></tr>
<tr><td style="padding-top:24px"><img src="cid:${HORIZON_CID}" width="${HORIZON_PX.width}" height="${HORIZON_PX.height}" alt="" style="display:block;width:100%;height:auto;border:0"></td></tr>
</table>
</td></tr></table>
</body>
</html>
`

let picture: Promise<Buffer> | undefined

/** The picture in an email to a visitor, as a part of the same email. */
export const letterPicture = async () => {
  picture ??= readFile(new URL('horizon.png', import.meta.url)).catch((error) => {
    picture = undefined // the next email looks again
    throw error
  })
  return { filename: 'horizon.png', content: await picture, cid: HORIZON_CID, contentDisposition: 'inline' as const }
}
