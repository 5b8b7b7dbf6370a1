import { describe, expect, it } from 'vitest'
import { CSV_COLUMNS, csvLine, SHEET_COLUMNS, type SheetLead, sheetCells } from './sheet.ts'

const NOBODY = new Map<string, string>()

const csvLineOf = (lead: SheetLead) => csvLine(sheetCells(lead, NOBODY).slice(0, CSV_COLUMNS.length))

const testLead = (more: Partial<SheetLead> = {}): SheetLead => ({
  id: 'a',
  timestamp: '2026-01-31T10:00:00.000Z',
  name: 'Jane Doe',
  email: 'jane@example.com',
  phone: '0821234567',
  company: null,
  businessName: null,
  leadSource: 'hero_form',
  industry: null,
  package: null,
  timeline: null,
  message: null,
  ownerId: null,
  nextActionDate: null,
  projectValue: null,
  conversionDate: null,
  followUpStatus: 'new',
  ...more,
})

describe('a CSV file of leads', () => {
  it('begins with the columns in order', () => {
    expect(csvLine(CSV_COLUMNS)).toBe(
      '"Date";"Time";"Name";"Email";"Phone";"Company";"Form Type";"Lead Source";"Industry";"Package";"Message"\r\n',
    )
  })

  it('quotes every field, doubles quotes, preserves line breaks, and has South African time', () => {
    const lead = testLead({
      timestamp: '2026-01-31T22:05:00.000Z',
      businessName: 'Stoep, Ltd',
      industry: 'email',
      package: 'premium',
      message: 'He said "now";\nthen left.',
    })
    expect(csvLineOf(lead)).toBe(
      '"2026-02-01";"00:05";"Jane Doe";"jane@example.com";"=""0821234567""";"Stoep, Ltd";"Lead Form";"hero_form";"email";"premium";"He said ""now"";\nthen left."\r\n',
    )
  })

  it.each(['=1+1', '+1+cmd|calc', '-1', '@SUM(A1)', '\t=1', '\r=1'])('makes %j harmless', (text) => {
    expect(csvLineOf(testLead({ name: text, message: text }))).toMatch(/;"'[\s\S]*;"'/)
  })

  it.each([
    '0821234567',
    '+27 82 555 0177',
    '+27 (0)82-555-0177',
    '021/555/0123',
    '+1-1',
    '007',
    '1E5',
    '2.5e-3',
    '123456789012',
  ])('writes %s so that a spreadsheet keeps it as it is', (text) => {
    const cell = `;"=""${text}""";`
    expect(csvLineOf(testLead({ phone: text, company: text }))).toContain(`${cell}${cell.slice(1)}`)
  })

  it.each(['0', '1499', '12345678901', '2026-03-01', '09:30', '42nd Street', 'E5', 'Route 62'])(
    'leaves %j, which a spreadsheet shows as it is, without a formula',
    (text) => {
      expect(csvLineOf(testLead({ company: text }))).toContain(`;"${text}";`)
    },
  )

  it('has a column of a workbook for the preferred contact of a quote form, in words', () => {
    const contactOf = (leadSource: string) =>
      sheetCells(testLead({ leadSource, industry: 'phone' }), NOBODY)[SHEET_COLUMNS.indexOf('Preferred contact')]
    expect(contactOf('contact_form')).toBe('Phone')
    expect(contactOf('hero_form')).toBeUndefined()
  })

  it('leaves missing values empty', () => {
    expect(csvLineOf(testLead())).toMatch(/;"";"Lead Form";"hero_form";"";"";""\r\n$/)
  })
})
