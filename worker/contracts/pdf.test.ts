import { describe, expect, test } from 'vitest'
import { termsOf } from '../../events/contract/terms.ts'
import { NO_COMPANY } from '../../events/settings/company.ts'
import { PACKAGE_IDS, type PackageId } from '../../events/settings/prices.ts'
import { inVisualOrder, joinedArabic, runsOf } from './faces.ts'
import { renderContract } from './pdf.ts'

const COMPANY = {
  ...NO_COMPANY,
  registeredName: 'Karoo Web Studio (Pty) Ltd',
  registrationNumber: '2019/123456/07',
  vat: 'registered' as const,
  vatNumber: '4123456789',
  address: '12 Long Street\nCape Town 8001',
  guarantee: 'You get your money back within 30 days.',
}
const USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

const signedBy = (name: string, packageId: PackageId = 'essential') => {
  const terms = termsOf(packageId, { packages: {}, company: COMPANY })
  return {
    leadId: '3f9a2c1b-94c7-4735-a125-0643e2a557f7',
    terms,
    agreed: { version: 3, sha256: 'ab'.repeat(32), isNamed: true, agreement: terms.agreement },
    evidence: {
      signature: name,
      clientAddress: '2001:db8:85a3::8a2e:370:7334',
      userAgent: USER_AGENT,
      openedAt: '2026-11-27T08:00:00.000Z',
      tickedAt: null,
      contractSha256: '5c'.repeat(32),
    },
    client: { name, businessName: 'Nkosi Bakery', email: 'thandi@example.co.za', phone: '+27 82 555 0142' },
    corrected: null,
    receivedAt: new Date('2026-11-27T08:03:04.123Z'),
    agency: { name: 'Karoo Web Studio', email: 'hello@karoo.example', publicUrl: 'https://www.karoo.example' },
  }
}

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length

const ESCAPES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' }

/** Whether a tagged PDF holds a text as search and screen readers find it. */
const holds = (pdf: Buffer, text: string) => {
  const isPlain = /^[\x20-\x7e]*$/.test(text)
  const bytes = isPlain ? text : Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('latin1')
  const escaped = bytes.replace(/[\n\r\t\b\f()\\]/g, (letter) => ESCAPES[letter] ?? `\\${letter}`)
  return pdf.includes(`/ActualText (${escaped})`, 0, 'latin1')
}

describe.each(PACKAGE_IDS)('the signed copy of the %s contract', (packageId) => {
  test('has one page for Essential and at most two for others, and the same bytes each time', async () => {
    const pdf = await renderContract(signedBy('Thandi Nkosi', packageId))
    expect(pagesOf(pdf)).toBeLessThanOrEqual(packageId === 'essential' ? 1 : 2)
    expect(await renderContract(signedBy('Thandi Nkosi', packageId))).toEqual(pdf)
    expect(pdf.byteLength).toBeLessThan(80_000)
  })

  test('is tagged, and says the terms, the total over 12 months and the evidence in searchable text', async () => {
    const contract = signedBy('Thandi Nkosi', packageId)
    const pdf = await renderContract(contract)
    expect(pdf.includes('/Marked true')).toBe(true)
    const total = { essential: 'R999, paid once', professional: '12 × R299 = R5,087', premium: '12 × R499 = R7,487' }
    const before = { essential: 'Total over 12 months: ', professional: 'Total over 12 months: R1,499 + ', premium: '' }
    for (const text of contract.terms.terms) expect(holds(pdf, text), text).toBe(true)
    const start = packageId === 'premium' ? before.professional : before[packageId]
    expect(holds(pdf, `${start}${total[packageId]}.`)).toBe(true)
    expect(holds(pdf, `Filled contract: SHA-256 ${'5c'.repeat(32)}`)).toBe(true)
    expect(holds(pdf, 'Box ticked, by the browser: Not known (the page ran no script)')).toBe(true)
  })
})

test.each(['Zoë Botha', 'Šárka Žižková', 'Ṱhilivhali Ḓavhana', 'محمد علي', '李明', 'Иван Петров', 'दीपक', '🙂'])(
  'the name %s is set in a font that has its letters, and is searchable as it was typed',
  async (name) => {
    const pdf = await renderContract(signedBy(name))
    expect(holds(pdf, name)).toBe(true)
    expect(pagesOf(pdf)).toBe(1)
  },
)

test('white space around the name as it was typed takes no room', async () => {
  const contract = signedBy('Thandi Nkosi')
  const signature = `\n${' '.repeat(80)}Thandi Nkosi${'\n'.repeat(100)}`
  const pdf = await renderContract({ ...contract, evidence: { ...contract.evidence, signature } })
  expect(holds(pdf, 'Name as typed: Thandi Nkosi')).toBe(true)
  expect(pagesOf(pdf)).toBe(1)
})

test('text is split into runs by the first font that has its letters, and marks stay with them', () => {
  const has = (font: string, codePoint: number) =>
    font === 'bold-0' ? codePoint < 0x100 : codePoint >= 0x100 && codePoint < 0x250
  expect(runsOf('Zoë Šn e\u0301 李 明', 'bold', has)).toEqual([
    { font: 'bold-0', text: 'Zoë ' },
    { font: 'bold-1', text: 'Š' },
    { font: 'bold-0', text: 'n ' },
    { font: 'fallback', text: 'e\u0301 李 明' },
  ])
})

test('Arabic letters are joined, and only the words from right to left are turned around', () => {
  expect(joinedArabic('محمد')).toBe('\ufee3\ufea4\ufee4\ufeaa')
  expect(joinedArabic('دار')).toBe('\ufea9\ufe8d\ufead')
  expect(inVisualOrder('by שלום לך, Cape Town')).toBe('by לך שלום, Cape Town')
})
