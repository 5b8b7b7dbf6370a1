import { describe, expect, test } from 'vitest'
import {
  contentOn,
  contractAccepted,
  contractContentReceived,
  contractDeclined,
  contractNoticeGiven,
  contractState,
  contractStepUndone,
  contractWentLive,
  endsOn,
  evolveLife,
  firstPossibleEnd,
  type Life,
  type LifeEvent,
  lastDayAfterNotice,
  lastDayOf,
  NO_LIFE,
  type StepRequest,
  stepRefusal,
} from './life.ts'

const leadId = '3f9a2c1b-94c7-4735-a125-0643e2a557f7'
const by = '4f1f6d0e-5d0d-4b43-9a55-6f6f5a3f7b11'
const about = { subjectId: leadId, personal: { to: 'zoe@example.com' } }

const accepted = contractAccepted(
  { leadId, by, isEmailed: true },
  { ...about, personal: { ...about.personal, countersignedBy: 'Lindiwe' } },
)
const declined = contractDeclined({ leadId, by }, { subjectId: leadId, personal: { reason: 'Out of our area' } })
const live = (on: string, end: string | null = null) =>
  contractWentLive({ leadId, by, isEmailed: true, on, endsOn: end }, about)
const notice = (on: string, end: string) => contractNoticeGiven({ leadId, by, isEmailed: true, on, endsOn: end }, about)

/** The life after these steps; the id of each event is its number, from 1. */
const lifeOf = (...events: object[]): Life =>
  events
    .map((event, index) => ({ ...event, id: String(index + 1), version: index + 1, recordedAt: new Date(0) }))
    .reduce((life, event) => evolveLife(life, event as unknown as LifeEvent), NO_LIFE)

const content = (on: string) => contractContentReceived({ leadId, by, on })

const undone = (number: number) => contractStepUndone({ leadId, by, undoes: String(number) })

test('the arrival of the content changes no state, and can be undone', () => {
  const life = lifeOf(accepted, content('2026-12-02'))
  expect([contractState(life, '2026-12-03'), contentOn(life), endsOn(life)]).toEqual(['accepted', '2026-12-02', null])
  expect(contentOn(lifeOf(accepted, content('2026-12-02'), undone(2)))).toBeNull()
  const ending = lifeOf(content('2026-12-02'), accepted, live('2026-12-05', '2027-01-04'))
  expect([contractState(ending, '2027-01-05'), contentOn(ending)]).toEqual(['ended', '2026-12-02'])
})

describe('the end of a contract', () => {
  test.each([
    ['2026-12-01', '2027-11-30'],
    ['2026-01-31', '2027-01-30'],
    ['2027-03-01', '2028-02-29'],
    ['2028-02-29', '2029-02-28'],
  ])('the twelve months that begin on %s end on %s', (first, last) => {
    expect(lastDayOf(first, 12)).toBe(last)
  })

  test.each([
    ['2029-01-31', '2027-01-10', '2029-03-02'],
    ['2028-01-31', '2026-01-10', '2028-03-01'],
    ['2028-12-31', '2026-01-10', '2029-01-30'],
    // the minimum term is over later
    ['2027-01-31', '2026-12-11', '2027-12-10'],
    ['2027-11-11', '2026-12-11', '2027-12-11'],
  ])('a notice on %s for a site that is live since %s ends it on %s', (on, liveOn, last) => {
    expect(lastDayAfterNotice({ on, liveOn, months: 12 })).toBe(last)
  })

  test('the first possible end is known once it is live, and is the set one once there is one', () => {
    expect(firstPossibleEnd(lifeOf(accepted), { months: 12 }, '2026-12-20')).toBeNull()
    const running = lifeOf(accepted, live('2026-12-11'))
    expect(firstPossibleEnd(running, { months: 12 }, '2026-12-20')).toBe('2027-12-10')
    expect(firstPossibleEnd(running, { months: 12 }, '2028-01-31')).toBe('2028-03-01')
    expect(firstPossibleEnd(running, { months: 12, noticeDays: 60 }, '2028-01-31')).toBe('2028-03-31')
    const ending = lifeOf(accepted, live('2026-12-11'), notice('2028-01-31', '2028-03-01'))
    expect(firstPossibleEnd(ending, { months: 12 }, '2028-02-20')).toBe('2028-03-01')
    expect(firstPossibleEnd(lifeOf(accepted, live('2026-12-11', '2027-01-10')), { months: null }, '2026-12-20')).toBe(
      '2027-01-10',
    )
  })
})

test('a contract is signed, accepted, live, under notice, and ended on the day after its last one', () => {
  const steps = [accepted, live('2026-12-11'), notice('2028-01-31', '2028-03-01')]
  const stateAfter = (count: number, today: string) => contractState(lifeOf(...steps.slice(0, count)), today)
  expect([0, 1, 2, 3].map((count) => stateAfter(count, '2028-02-01'))).toEqual(['signed', 'accepted', 'live', 'notice'])
  expect([stateAfter(3, '2028-03-01'), stateAfter(3, '2028-03-02')]).toEqual(['notice', 'ended'])
})

test('undoing the last step leads back to the state before it', () => {
  const life = lifeOf(accepted, live('2026-12-11'), notice('2027-01-31', '2027-12-10'), undone(3), undone(2))
  expect([contractState(life, '2027-02-01'), endsOn(life), life.version]).toEqual(['accepted', null, 5])
  expect(contractState(lifeOf(declined, undone(1)), '2027-02-01')).toBe('signed')
})

describe('a step is refused', () => {
  const contract = { signedOn: '2026-12-01', months: 12 as number | null, today: '2027-02-01' }
  const accept: StepRequest = { step: 'accept', isEmailed: true }
  const liveRequest = (on: string): StepRequest => ({ step: 'live', on, isEmailed: true })
  const noticeRequest = (on: string): StepRequest => ({ step: 'notice', on, isEmailed: true })
  const running = lifeOf(accepted, live('2026-12-11'))

  test.each<[string, Life, StepRequest, RegExp]>([
    ['go-live before the acceptance', NO_LIFE, liveRequest('2026-12-11'), /Only an accepted contract/],
    ['go-live before the signature', lifeOf(accepted), liveRequest('2026-11-30'), /before the signature/],
    ['go-live in the future', lifeOf(accepted), liveRequest('2027-02-02'), /in the future/],
    ['a second acceptance', lifeOf(accepted), accept, /just signed/],
    ['acceptance after it was declined', lifeOf(declined), accept, /just signed/],
    ['go-live after it was declined', lifeOf(declined), liveRequest('2026-12-11'), /Only an accepted/],
    ['notice before it is live', lifeOf(accepted), noticeRequest('2027-01-31'), /live contract only/],
    ['notice before the go-live date', running, noticeRequest('2026-12-10'), /before the go-live/],
    ['notice in the future', running, noticeRequest('2027-02-02'), /in the future/],
    [
      'go-live after the end',
      lifeOf(accepted, live('2026-12-11'), notice('2026-12-12', '2027-01-31')),
      liveRequest('2027-02-01'),
      /Only an accepted/,
    ],
    ['undoing an earlier step', running, { step: 'undo', eventId: '1' }, /Only the last step/],
    ['undoing a foreign step', running, { step: 'undo', eventId: 'x' }, /Only the last step/],
    [
      'undoing after the end',
      lifeOf(accepted, live('2026-12-11'), notice('2026-12-12', '2027-01-31')),
      { step: 'undo', eventId: '3' },
      /has ended/,
    ],
  ])('%s', (_, life, request, detail) => {
    expect(stepRefusal({ ...contract, life }, request)?.detail).toMatch(detail)
  })

  test('notice on a contract without a monthly fee', () => {
    const life = lifeOf(accepted, live('2026-12-11', '2027-02-10'))
    expect(stepRefusal({ ...contract, months: null, life }, noticeRequest('2027-01-31'))?.detail).toMatch(
      /no monthly fee/,
    )
  })

  test('the arrival of the content twice, on a day that cannot be, or after the site is live', () => {
    const request = (on: string): StepRequest => ({ step: 'content', on })
    expect(stepRefusal({ ...contract, life: NO_LIFE }, request(contract.signedOn))).toBeUndefined()
    expect(stepRefusal({ ...contract, life: lifeOf(accepted) }, request('2020-01-01'))?.field).toBe('on')
    expect(stepRefusal({ ...contract, life: lifeOf(accepted) }, request('2099-01-01'))?.field).toBe('on')
    expect(stepRefusal({ ...contract, life: lifeOf(content('2026-12-01')) }, request('2026-12-01'))).toBeDefined()
    expect(stepRefusal({ ...contract, life: running }, request('2026-12-01'))?.detail).toMatch(/until the site is live/)
  })

  test('unless it is its turn', () => {
    expect(stepRefusal({ ...contract, life: NO_LIFE }, accept)).toBeUndefined()
    expect(stepRefusal({ ...contract, life: lifeOf(accepted) }, liveRequest('2026-12-01'))).toBeUndefined()
    expect(stepRefusal({ ...contract, life: running }, noticeRequest('2027-01-31'))).toBeUndefined()
    expect(stepRefusal({ ...contract, life: running }, { step: 'undo', eventId: '2' })).toBeUndefined()
  })

  test('undoing a step whose mistyped day ended the contract, within a week', () => {
    const { steps, ...rest } = lifeOf(accepted, live('2026-12-11'), notice('2026-12-12', '2027-01-31'))
    const life = { ...rest, steps: steps.map((step) => ({ ...step, at: '2027-01-25T10:00:00Z' })) }
    expect(stepRefusal({ ...contract, life }, { step: 'undo', eventId: '3' })).toBeUndefined()
    const later = { ...contract, today: '2027-02-02', life }
    expect(stepRefusal(later, { step: 'undo', eventId: '3' })?.detail).toMatch(/has ended/)
  })
})
