import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StaffSite, startStaffSite } from '../test-staff-site.ts'

const LONG = 'wolfeschlegelsteinhausen.berger.dorff.the.second@subsidiary.company.example.com'

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite()
})

afterAll(() => site?.stop())

test('a long address breaks after its "@" or a ".", and is copied and linked as it is', async () => {
  const lead = await site.submit({ name: 'Long Address', email: LONG })
  const page = await site.open(`/admin-lead?id=${lead.id}`, { viewport: { width: 390, height: 844 } })
  const address = page.getByRole('link', { name: LONG })
  await address.waitFor()
  expect(await address.getAttribute('href')).toBe(`mailto:${LONG}`)
  expect(await address.textContent()).toBe(LONG)
  const lines = await address.evaluate((link) => {
    const parts = document.createTreeWalker(link, NodeFilter.SHOW_TEXT)
    const found: { text: string; lines: number }[] = []
    for (let part = parts.nextNode(); part; part = parts.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(part)
      const text = part.textContent ?? ''
      found.push({ text, lines: new Set([...range.getClientRects()].map(({ top }) => top)).size })
    }
    return { found, height: link.getClientRects().length }
  })
  expect(lines.height).toBeGreaterThan(1)
  expect(lines.found.filter((part) => part.lines > 1)).toEqual([])
  await page.context().close()
})
