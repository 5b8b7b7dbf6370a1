import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractReferenceOf } from '../../../events/base/reference.ts'
import { violationsIn } from '../../testing/axe.ts'
import { DESKTOP, PHONE, startTestSite, type TestSite } from '../../testing/site.ts'

let site: TestSite

beforeAll(async () => {
  site = await startTestSite({ worker: true })
})

afterAll(() => site?.stop())

const CONTRACT = {
  name: 'Zoë Botha',
  email: 'zoe@example.com',
  phone: '+27 82 555 0199',
  businessName: 'Botha Bakery',
  leadSource: 'contract_premium',
  agreedToTerms: true,
  termsVersion: '1',
}

test('a copy that is chosen or dropped on the page is checked in the browser, and a changed byte shows', async () => {
  const { id, contractCopy } = await (await site.node.post('/api/leads', CONTRACT)).json()
  const pdf = Buffer.from(await (await site.node.call(contractCopy)).arrayBuffer())
  const changed = Buffer.from(pdf)
  changed[changed.length - 40] = (changed[changed.length - 40] ?? 0) ^ 1
  const page = await site.open(`/contract/verify/${contractReferenceOf(id)}`, {
    viewport: PHONE,
    reducedMotion: 'reduce',
  })
  await page.getByText('The log around this contract is unbroken.').waitFor()
  const choose = (buffer: Buffer) =>
    page.getByLabel(/^Choose the PDF/).setInputFiles({ name: 'copy.pdf', mimeType: 'application/pdf', buffer })
  await choose(pdf)
  await page.getByText('copy.pdf is the signed copy of this contract, byte for byte.').waitFor()
  expect(await violationsIn(page)).toEqual([])
  const other = await (await site.node.post('/api/leads', { ...CONTRACT, email: 'other@example.com' })).json()
  await choose(Buffer.from(await (await site.node.call(other.contractCopy)).arrayBuffer()))
  await page.getByText(/^copy\.pdf is not the signed copy of this contract/).waitFor()
  await choose(pdf)
  await page.getByText('copy.pdf is the signed copy of this contract, byte for byte.').waitFor()
  await choose(changed)
  await page.getByText(/^copy\.pdf is not the signed copy of this contract/).waitFor()
  await page.setViewportSize(DESKTOP)
  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
    data.items.add(new File([bytes], 'dropped.pdf', { type: 'application/pdf' }))
    return data
  }, pdf.toString('base64'))
  await page.dispatchEvent('body', 'drop', { dataTransfer: dropped })
  await page.getByText('dropped.pdf is the signed copy of this contract, byte for byte.').waitFor()
})
