import { expect, test } from 'vitest'
import { contractAccepted, contractDeclined, contractNoticeGiven, contractWentLive } from './life.ts'
import { isEmailedStep, stepEmailOf } from './step-email.ts'

const leadId = '3f9a2c1b-94c7-4735-a125-0643e2a557f7'
const by = '4f1f6d0e-5d0d-4b43-9a55-6f6f5a3f7b11'
const to = 'zoe@example.com'
const SENDER = { name: 'Zoë', about: 'Zoë, Bakery', agencyName: 'Karoo', publicUrl: 'https://karoo.example' }

const emailOf = (event: object) => {
  const recorded = event as Parameters<typeof stepEmailOf>[0]
  return isEmailedStep(recorded) ? stepEmailOf(recorded, SENDER) : undefined
}

const accepted = (isEmailed: boolean) =>
  contractAccepted(
    { leadId, by, isEmailed },
    { subjectId: leadId, personal: { to, countersignedBy: 'Lindiwe Khumalo' } },
  )

test('the client reads who accepted the contract, and where to check it', () => {
  expect(emailOf(accepted(true))).toEqual({
    subject: 'We accepted your contract, reference 3F9A-2C1B-94C7',
    fields: [
      [
        'message',
        'Hello Zoë,\n\nLindiwe Khumalo has accepted and countersigned your contract.\n\nCheck your contract at any time: https://karoo.example/contract/verify/3F9A-2C1B-94C7\n\nKind regards\nKaroo\nhttps://karoo.example',
      ],
    ],
    to,
    replyTo: null,
    about: 'Zoë, Bakery',
  })
})

test('the emails about the go-live and the notice name the days in full', () => {
  const about = { subjectId: leadId, personal: { to } }
  const live = contractWentLive({ leadId, by, isEmailed: true, on: '2026-12-11', endsOn: null }, about)
  const handedOver = contractWentLive({ leadId, by, isEmailed: true, on: '2026-12-11', endsOn: '2027-01-10' }, about)
  const notice = contractNoticeGiven({ leadId, by, isEmailed: true, on: '2028-01-31', endsOn: '2028-03-01' }, about)
  const textOf = (event: object) => emailOf(event)?.fields[0]?.[1].split('\n\n')[1]
  expect(textOf(live)).toMatch(/^Your website went live on Friday, \d+ December 2026\. The monthly fee/)
  expect(textOf(handedOver)).toMatch(/We fix minor bugs for free until Sunday, 10 January 2027\.$/)
  expect(textOf(notice)).toMatch(/notice on Monday, 31 January 2028\. Your contract ends on Wednesday, \S+ March 2028,/)
})

test('there is no email if the box is cleared, the contract declined, or the client erased', () => {
  expect(emailOf(accepted(false))).toBeUndefined()
  const declined = contractDeclined({ leadId, by }, { subjectId: leadId, personal: { reason: 'Too far' } })
  expect(emailOf(declined)).toBeUndefined()
  expect(emailOf({ ...accepted(true), personal: null })).toBeUndefined()
})
