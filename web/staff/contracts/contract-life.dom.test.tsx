import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Sent } from '../../../events/base/word.ts'
import type { signedContract } from '../../../events/contract/wire.ts'
import { QUIET } from '../../testing/answers.ts'
import { openPart, said } from '../../testing/screen.tsx'
import { type Answer, problem, requestsOf } from '../../testing/server.ts'
import { ContractLife } from './contract-life.tsx'
import { useContract } from './contracts.ts'

type Contract = Sent<typeof signedContract>

const LEAD = '20000000-0000-4000-8000-000000000001'
const PATH = `/api/leads/${LEAD}/contract`

const SIGNED: Contract = {
  terms: { version: 1, sha256: 'ab'.repeat(32), isNamed: true, agreement: 'I agree' },
  evidence: null,
  receivedAt: '2026-11-27T08:00:00.000Z',
  copies: [{ sha256: 'cd'.repeat(32), madeAt: '2026-11-27T08:00:01.000Z' }],
  package: 'premium',
  monthly: 499,
  months: 12,
  noticeDays: 30,
  state: 'signed',
  version: 0,
  liveOn: null,
  endsOn: null,
  firstPossibleEnd: null,
  dueOn: '2026-12-11',
  steps: [],
}

const stepOf = (state: Contract['steps'][number]['state'], more: Partial<Contract['steps'][number]> = {}) => ({
  id: '30000000-0000-4000-8000-000000000001',
  state,
  by: 'Thandi',
  at: '2026-11-28T08:00:00.000Z',
  on: null,
  endsOn: null,
  emailState: 'delivered' as const,
  countersignedBy: null,
  reason: null,
  ...more,
})

const ACCEPTED: Contract = {
  ...SIGNED,
  state: 'accepted',
  version: 2,
  steps: [stepOf('accepted', { countersignedBy: 'Thandi Nkosi' })],
}

const Shown = () => {
  const { data } = useContract(LEAD)
  return data && <ContractLife leadId={LEAD} contract={data} />
}

const open = (contract: Contract, answers: Record<string, Answer> = {}) => {
  let current = contract
  return openPart(<Shown />, {
    [`GET ${PATH}`]: () => current,
    [`POST ${PATH}/steps`]: () => {
      current = ACCEPTED
      return current
    },
    ...answers,
  })
}

const stepsSent = () => requestsOf(`POST ${PATH}/steps`).map(({ body, headers }) => [body, headers.get('if-match')])

test('A staff member accepts a contract once, emails the client unless the box is cleared, and sees who did', async () => {
  const { user } = open(SIGNED)
  await user.click(await screen.findByRole('button', { name: 'Accept' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Accept the contract' }))
  await user.click(dialog.getByRole('checkbox', { name: 'Email the client about it' }))
  await user.click(dialog.getByRole('button', { name: 'Accept' }))
  await said('Contract accepted')
  expect(stepsSent()).toEqual([[{ step: 'accept', isEmailed: false }, '"0"']])
  await screen.findByText('Accepted and countersigned by Thandi Nkosi')
  screen.getByRole('button', { name: 'Set live' })
  expect(screen.queryByRole('button', { name: 'Decline' })).toBeNull()
})

test('The day on which the content arrived is recorded once, without an email, and the promised day is shown', async () => {
  const received = { ...SIGNED, version: 2, steps: [stepOf('content', { on: '2026-11-28', emailState: null })] }
  let current = SIGNED
  const { user } = open(SIGNED, {
    [`GET ${PATH}`]: () => current,
    [`POST ${PATH}/steps`]: () => {
      current = received
      return received
    },
  })
  await screen.findByText('Promised to be live by 11 December 2026')
  await user.click(screen.getByRole('button', { name: 'Content arrived' }))
  const dialog = within(screen.getByRole('dialog', { name: 'The content has arrived' }))
  expect(dialog.queryByRole('checkbox')).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Record the day' }))
  await screen.findByText('Content arrived on 28 November 2026')
  expect(stepsSent()).toMatchObject([[{ step: 'content', on: expect.any(String) }, '"0"']])
  expect(screen.queryByRole('button', { name: 'Content arrived' })).toBeNull()
})

test('Declining asks for a reason', async () => {
  const { user } = open(SIGNED)
  await user.click(await screen.findByRole('button', { name: 'Decline' }))
  await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Too far')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Decline' }))
  await waitFor(() => expect(stepsSent()).toEqual([[{ step: 'decline', reason: 'Too far' }, '"0"']]))
})

test('A refused day is shown at the field, and a step that a colleague was faster with in the dialog', async () => {
  let answer = problem(422, { errors: [{ path: 'on', message: 'The go-live date is before the signature' }] })
  const { user } = open(ACCEPTED, { [`POST ${PATH}/steps`]: () => answer })
  await user.click(await screen.findByRole('button', { name: 'Set live' }))
  const dialog = within(screen.getByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Set live' }))
  await dialog.findByText('The go-live date is before the signature')
  answer = problem(409, { detail: 'Another person has changed this contract: look at it again' })
  await user.click(dialog.getByRole('button', { name: 'Set live' }))
  await dialog.findByText(/Another person has changed this contract/)
})

test.each([
  [null, '28 November 2026'],
  ['delivered', '28 November 2026, emailed'],
  ['pending', '28 November 2026, email not sent yet'],
  ['outbox', '28 November 2026, not emailed: email is not set up'],
  ['rejected', '28 November 2026, email failed'],
] as const)('A step whose email is in the state %s reads "%s"', async (emailState, words) => {
  open({ ...ACCEPTED, steps: [stepOf('accepted', { emailState })] })
  await screen.findByText(words)
})

test('Without a mail server the dialog says that the email is stored, and undoing a step mentions no email', async () => {
  const summary = { ...Object(QUIET['GET /api/emails/summary']), isSetUp: false, reachesPeople: false }
  const stored = { ...ACCEPTED, steps: [stepOf('accepted', { emailState: 'outbox' })] }
  const { user } = open(stored, { 'GET /api/emails/summary': summary })
  await user.click(await screen.findByRole('button', { name: 'Set live' }))
  const dialog = within(screen.getByRole('dialog'))
  await dialog.findByText(/^This site has no mail server yet: the email is stored/)
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await said('Undone')
  expect(screen.queryByText(/may have got the email/)).toBeNull()
})

test('The last step can be undone, with a word about the email that went out', async () => {
  const { user } = open(ACCEPTED)
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await said('The client may have got the email about it: write to them.')
  expect(stepsSent()).toEqual([[{ step: 'undo', eventId: ACCEPTED.steps[0]?.id }, '"2"']])
})

test('A contract that has ended shows when, and offers no step', async () => {
  const notice = stepOf('notice', { on: '2024-01-31', endsOn: '2024-03-01', at: '2024-01-31T08:00:00.000Z' })
  open({
    ...ACCEPTED,
    state: 'ended',
    dueOn: null,
    endsOn: '2024-03-01',
    firstPossibleEnd: '2024-03-01',
    steps: [notice],
  })
  await screen.findByText(/^Ended on .*March 2024/)
  expect(screen.queryAllByRole('button')).toEqual([])
})
