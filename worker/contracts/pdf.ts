import PDFDocument from 'pdfkit'
import { encode } from 'uqr'
import { agencyClock, agencyDayName } from '../../events/base/agency-day.ts'
import { inRand } from '../../events/base/amount.ts'
import { contractReferenceOf } from '../../events/base/reference.ts'
import type { AgreedTerms, Evidence } from '../../events/contract/evidence.ts'
import { verificationPath } from '../../events/contract/signed-copy.ts'
import type { Terms } from '../../events/contract/terms.ts'
import { fontSource, inVisualOrder, runsOf, type Weight } from './faces.ts'

/** All that a signed copy shows. */
export type SignedContract = {
  leadId: string
  terms: Terms
  agreed: AgreedTerms
  evidence: Evidence
  client: { name: string; businessName: string | null; email: string; phone: string }
  /** The correction of the client's name that made this version; `sha256` is that of the version it replaces. */
  corrected: { at: Date; sha256: string } | null
  receivedAt: Date
  agency: { name: string; email: string; publicUrl: string }
}

const PAGE = { size: 'A4', margins: { top: 36, bottom: 28, left: 48, right: 48 } } as const
const WIDTH_PT = 595.28 - 48 - 48
const QR_PT = 74
const INK = '#16181f'
const SOFT = '#50525c'
const ACCENT = '#2136c4'
const LINE = '#ded7c8'
const SIZE = { title: 18, heading: 10, text: 8.3, small: 7, name: 14 }

const moment = (at: Date) => `${agencyDayName.format(at)}, ${agencyClock.format(at)} SAST`

const exactMoment = (at: string | null) =>
  at === null ? 'Not known (the page ran no script)' : `${moment(new Date(at))} (${at})`

/** The part of an open document that its types leave out: the font that was chosen last. */
type OpenFont = {
  _font: {
    font: { hasGlyphForCodePoint: (codePoint: number) => boolean }
    ascender: number
    descender: number
    lineGap: number
  }
}

/** Writes a tagged document from top to bottom. */
const openWriter = (contract: SignedContract) => {
  const title = `Signed contract ${contractReferenceOf(contract.leadId)}: ${contract.terms.name} package`
  const doc = new PDFDocument({
    ...PAGE,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-ZA',
    displayTitle: true,
    // the same contract gives the same bytes
    info: {
      Title: title,
      Author: contract.agency.name,
      CreationDate: contract.receivedAt,
      ModDate: contract.receivedAt,
    },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const finished = new Promise<Buffer<ArrayBuffer>>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  const root = doc.struct('Document')
  doc.addStructure(root)

  const registered = new Set<string>()
  let lineOf: Pick<OpenFont['_font'], 'ascender' | 'descender' | 'lineGap'> | undefined
  const chosen = () => (doc as unknown as OpenFont)._font
  const use = (font: string) => {
    if (registered.has(font)) return doc.font(font)
    registered.add(font)
    doc.registerFont(font, fontSource(font)).font(font)
    // all fonts of a line have one base line and one height
    const { ascender, descender, lineGap } = chosen()
    lineOf ??= { ascender, descender, lineGap }
    Object.assign(chosen(), lineOf)
    return doc
  }
  const has = (font: string, codePoint: number) => {
    use(font)
    return chosen().font.hasGlyphForCodePoint(codePoint)
  }

  type Style = { size?: number; weight?: Weight; colour?: string; indent?: number; width?: number; gap?: number }
  type Part = { text: string; weight?: Weight; colour?: string; link?: string }

  /** Sets parts one after the other, each run in its font. */
  const setText = (parts: readonly Part[], style: Style) => {
    const { size = SIZE.text, weight = 'regular', colour = INK, indent = 0, width = WIDTH_PT - indent } = style
    const runs = parts.flatMap((part) =>
      runsOf(inVisualOrder(part.text), part.weight ?? weight, has).map((run) => ({ ...part, ...run })),
    )
    doc.x = PAGE.margins.left + indent
    for (const [index, { font, text, colour: own = colour, link }] of runs.entries()) {
      use(font).fontSize(size).fillColor(own)
      const isLast = index === runs.length - 1
      doc.text(text, { width, continued: !isLast, lineGap: -0.9, link: link ?? null, underline: link !== undefined })
    }
    doc.y += style.gap ?? 1
  }

  const tagged = (tag: string, parts: string | readonly Part[], style: Style = {}, parent = root) => {
    const all = typeof parts === 'string' ? [{ text: parts }] : parts
    // the text as people read and search it, whatever forms and order the letters are set in
    const actual = all.map(({ text }) => text).join('')
    parent.add(doc.struct(tag as 'P', { actual }, () => setText(all, style)))
  }

  return {
    doc,
    /** Begins a new page unless a heading with lines in the small size fits on this one. */
    keepTogether: (lines: readonly string[]) => {
      use('regular-0').fontSize(SIZE.small)
      const heightOf = (line: string) => doc.heightOfString(line, { width: WIDTH_PT, lineGap: -0.9 }) + 0.2
      const height = lines.reduce((sum, line) => sum + heightOf(line), 2 * SIZE.heading)
      if (doc.y + height > doc.page.height - PAGE.margins.bottom) doc.addPage()
    },
    heading: (text: string) => {
      doc.y += 2.5
      tagged('H2', text, { size: SIZE.heading, weight: 'bold', colour: ACCENT, gap: 2 })
    },
    title: (text: string) => tagged('H1', text, { size: SIZE.title, weight: 'bold', width: WIDTH_PT - QR_PT - 12 }),
    paragraph: (parts: string | readonly Part[], style: Style = {}) => tagged('P', parts, style),
    list: (items: readonly string[], mark: (index: number) => string = () => '•') => {
      const list = doc.struct('L')
      root.add(list)
      for (const [index, text] of items.entries()) {
        const item = doc.struct('LI')
        list.add(item)
        const { y, page } = doc
        item.add(doc.struct('Lbl', {}, () => setText([{ text: mark(index) }], { colour: SOFT, width: 16 })))
        doc.y = doc.page === page ? y : PAGE.margins.top
        item.add(doc.struct('LBody', { actual: text }, () => setText([{ text }], { indent: 14, gap: 0.2 })))
        item.end()
      }
      list.end()
    },
    rule: () => {
      doc.markContent('Artifact', { type: 'Layout' })
      doc
        .moveTo(PAGE.margins.left, doc.y)
        .lineTo(PAGE.margins.left + WIDTH_PT, doc.y)
        .lineWidth(0.7)
        .strokeColor(LINE)
        .stroke()
      doc.endMarkedContent()
      doc.y += 5
    },
    /** A picture that leads to an address. */
    code: (address: string) => {
      const { data, size } = encode(address, { ecc: 'M', border: 0 })
      const side = QR_PT / size
      const [x0, y0] = [PAGE.margins.left + WIDTH_PT - QR_PT, PAGE.margins.top]
      const draw = () => {
        doc.fillColor(INK)
        for (const [row, cells] of data.entries()) {
          for (const [column, isDark] of cells.entries()) {
            if (isDark) doc.rect(x0 + column * side, y0 + row * side, side, side)
          }
        }
        doc.fill()
      }
      root.add(doc.struct('Figure', { alt: `QR code of ${address}` }, draw))
    },
    finish: () => {
      root.end()
      doc.end()
      return finished
    },
  }
}

/** The price, with the total over twelve months. */
const priceLines = ({ line, price, months }: Terms): string[] =>
  months === null || price.monthly === null
    ? [line, `Total over 12 months: ${inRand(price.once)}, paid once.`]
    : [
        line,
        `Setup, once: ${inRand(price.once)}. Monthly fee: ${inRand(price.monthly)} for at least ${months} months from the day on which the site goes live.`,
        `Total over ${months} months: ${inRand(price.once)} + ${months} × ${inRand(price.monthly)} = ${inRand(price.once + months * price.monthly)}.`,
      ]

const evidenceLines = ({
  agreed,
  evidence,
  client,
  corrected,
  receivedAt,
}: SignedContract): [label: string, value: string][] => [
  ['Terms', `version ${agreed.version}, SHA-256 ${agreed.sha256}`],
  [
    'Version',
    agreed.isNamed ? 'named by the page that was signed' : 'the current one: the sender, a program, named none',
  ],
  ['Agreed to', agreed.agreement],
  ['Name as typed', evidence.signature.trim()],
  ['Email', client.email],
  ['Page opened, by the browser', exactMoment(evidence.openedAt)],
  ['Box ticked, by the browser', exactMoment(evidence.tickedAt)],
  ['Received', exactMoment(receivedAt.toISOString())],
  ['Client address', evidence.clientAddress],
  ['Browser', evidence.userAgent ?? 'Not given'],
  ['Filled contract', `SHA-256 ${evidence.contractSha256}`],
  ...(corrected
    ? ([
        ['Client corrected', exactMoment(corrected.at.toISOString())],
        ['Replaces the copy', `SHA-256 ${corrected.sha256}`],
      ] as [string, string][])
    : []),
]

/**
 * The signed copy of a contract as a PDF: the parties, the terms as shown, the price with the total over 12 months, the
 * signature, the evidence, and where to check it. The same contract gives the same bytes.
 */
export const renderContract = async (contract: SignedContract): Promise<Buffer<ArrayBuffer>> => {
  const { leadId, terms, client, evidence, agency, receivedAt } = contract
  const reference = contractReferenceOf(leadId)
  const address = agency.publicUrl + verificationPath(leadId)
  const to = openWriter(contract)
  to.code(address)
  to.paragraph(agency.name, { weight: 'bold', size: SIZE.heading, width: WIDTH_PT - QR_PT - 12 })
  to.title(`Contract: ${terms.name} package`)
  to.paragraph([{ text: 'Reference ' }, { text: reference, weight: 'bold' }], { width: WIDTH_PT - QR_PT - 12 })
  to.paragraph([{ text: 'Check this copy: ' }, { text: address, colour: ACCENT, link: address }], {
    width: WIDTH_PT - QR_PT - 12,
  })
  to.doc.y = Math.max(to.doc.y, PAGE.margins.top + QR_PT + 4)
  to.rule()

  to.heading('Parties')
  const lines = terms.company.length > 0 ? terms.company : [agency.name]
  to.paragraph([{ text: 'Agency: ', weight: 'bold' }, { text: [...lines, agency.email].join(', ') }])
  const of = client.businessName ? `${client.businessName}, by ` : ''
  to.paragraph([
    { text: 'Client: ', weight: 'bold' },
    { text: `${of}${client.name}, ${client.phone}, ${client.email}` },
  ])
  to.heading('Price')
  for (const line of priceLines(terms)) to.paragraph(line)
  to.heading('Package')
  to.paragraph(terms.summary)
  to.paragraph([{ text: 'Included: ', weight: 'bold' }, { text: `${terms.included.join('; ')}.` }])
  if (terms.alsoIncluded) {
    const { title, points } = terms.alsoIncluded
    to.paragraph([{ text: `${title}: `, weight: 'bold' }, { text: `${points.join('; ')}.` }])
  }
  if (terms.notIncluded.length > 0) {
    to.paragraph([{ text: 'Not included: ', weight: 'bold' }, { text: `${terms.notIncluded.join('; ')}.` }])
  }
  to.heading('Timeline')
  to.paragraph(`${terms.delivery}.`)
  to.list(terms.timeline.map(({ days, what, text }) => `${days}, ${what}: ${text}`))
  to.heading(`Terms, version ${contract.agreed.version}`)
  to.list(terms.terms, (index) => `${index + 1}.`)
  if (terms.guarantee) to.paragraph([{ text: 'Our guarantee: ', weight: 'bold' }, { text: terms.guarantee }])
  if (terms.afterSigning.length > 0) to.heading('After signing')
  for (const { what, text } of terms.afterSigning) to.paragraph([{ text: `${what}: `, weight: 'bold' }, { text }])

  to.heading('Signature')
  to.paragraph(evidence.signature.trim(), { size: SIZE.name, gap: 0 })
  to.rule()
  to.paragraph(`Signed by typing the full name and ticking the box, on ${moment(receivedAt)}.`)
  const evidenced = evidenceLines(contract)
  to.keepTogether(evidenced.map((line) => line.join(': ')))
  to.heading('Evidence')
  for (const [label, value] of evidenced) {
    to.paragraph([{ text: `${label}: `, weight: 'bold' }, { text: value }], {
      size: SIZE.small,
      colour: SOFT,
      gap: 0.2,
    })
  }
  return await to.finish()
}
