import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sampleLeadForm } from '../../testing/fixtures/samples.ts'
import { changesBy, isUndoable, isUndone, undo } from '../follow-up-history.ts'
import { evolveLead, type Lead, type LeadEvent, leadStreams, submitLead } from '../lead.ts'
import { leadAnswered, leadAnswerFailed, leadAnswerRestored, leadAnswerWithdrawn } from './answered.ts'
import { leadFollowUpChanged, leadNoteAdded } from './follow-up.ts'

const LEAD_ID = randomUUID()
const [ANA, BEN] = [randomUUID(), randomUUID()] as const
const [MAIL, CALL, NOTE] = [randomUUID(), randomUUID(), randomUUID()] as const

/** When the event of a version was recorded: one a minute. */
const at = (version: number) => new Date(Date.UTC(2026, 0, 15, 9, version)).toISOString()

/** A lead's stream: the submission, then these events. */
const streamOf = (...events: object[]): LeadEvent[] =>
  [submitLead({ leadId: LEAD_ID, form: sampleLeadForm() }), ...events].map(
    (event, index) =>
      ({
        id: randomUUID(),
        stream: leadStreams.of(LEAD_ID),
        position: index + 1,
        version: index + 1,
        schemaVersion: 1,
        subjectId: null,
        personal: null,
        recordedAt: new Date(at(index + 1)),
        ...event,
      }) as LeadEvent,
  )

const leadOf = (events: LeadEvent[]) => events.reduce<Lead | undefined>(evolveLead, undefined)
const stateOf = (...events: object[]) => {
  const { followUpStatus, answeredAt, answeredBy, ownerId } = leadOf(streamOf(...events)) as Lead
  return [followUpStatus, answeredAt, answeredBy, ownerId]
}
const WAITS = ['new', null, null, null]

const emailed = leadAnswered({ answerId: MAIL, channel: 'email', by: ANA })
const called = leadAnswered({ answerId: CALL, channel: 'call', by: BEN })
const failed = leadAnswerFailed({ answerId: MAIL })
const withdrawn = (answerId: string) => leadAnswerWithdrawn({ answerId, channel: 'call', by: BEN })
const restored = (answerId: string) => leadAnswerRestored({ answerId, by: BEN })
const set = (change: object) => leadFollowUpChanged({ ...change, by: BEN })

describe('a reply', () => {
  test('stops the clock of a lead, and makes an unassigned one its author’s, or a colleague’s', () => {
    expect(stateOf(emailed)).toEqual(['contacted', at(2), ANA, ANA])
    expect(stateOf(leadAnswered({ ...emailed.data, ownerId: BEN, at: at(0) }))).toEqual(['contacted', at(0), ANA, BEN])
    expect(stateOf(emailed, emailed)).toEqual(stateOf(emailed))
  })

  test('changes nothing after the first one, until that is withdrawn', () => {
    expect(stateOf(emailed, called)).toEqual(stateOf(emailed))
    expect(stateOf(emailed, called, withdrawn(MAIL))).toEqual(['contacted', at(3), BEN, BEN])
    expect(stateOf(emailed, called, withdrawn(CALL))).toEqual(stateOf(emailed))
    expect(stateOf(emailed, called, withdrawn(MAIL), withdrawn(CALL))).toEqual(WAITS)
    expect(stateOf(emailed, called, withdrawn(CALL), withdrawn(MAIL))).toEqual(WAITS)
  })

  test('restores its changes, in its place, when it is restored', () => {
    expect(stateOf(emailed, withdrawn(MAIL), restored(MAIL))).toEqual(stateOf(emailed))
    expect(stateOf(emailed, called, withdrawn(MAIL), restored(MAIL))).toEqual(stateOf(emailed))
  })

  test('does not change fields that staff set before it or since', () => {
    const quoted = set({ followUpStatus: 'quoted' })
    expect(stateOf(quoted, emailed, withdrawn(MAIL))).toEqual(['quoted', at(2), BEN, null])
    expect(stateOf(emailed, quoted, withdrawn(MAIL))).toEqual(['quoted', at(2), ANA, null])
    expect(stateOf(emailed, set({ ownerId: BEN }), withdrawn(MAIL))).toEqual(['new', null, null, BEN])
    expect(stateOf(set({ ownerId: BEN }), emailed)).toEqual(['contacted', at(3), ANA, BEN])
    expect(stateOf(emailed, set({ followUpStatus: 'new' }), called)).toEqual(['contacted', at(4), BEN, ANA])
    expect(stateOf(emailed, set({ followUpStatus: 'new' }), called, withdrawn(CALL))).toEqual(['new', null, null, ANA])
  })

  test('by a failed email leaves the lead waiting, with its owner, until it arrives or staff say that it did', () => {
    const lead = leadOf(streamOf(emailed, failed))
    expect(lead).toMatchObject({ followUpStatus: 'new', answeredAt: null, ownerId: ANA, emailFailedAt: at(3) })
    const arrived = leadAnswerRestored({ answerId: MAIL, at: at(9) })
    expect(stateOf(emailed, failed, arrived)).toEqual(['contacted', at(9), ANA, ANA])
    expect(leadOf(streamOf(emailed, failed, arrived))).not.toHaveProperty('emailFailedAt')
    expect(stateOf(emailed, failed, restored(MAIL))).toEqual(stateOf(emailed))
    expect(stateOf(emailed, failed, withdrawn(MAIL))).toEqual(WAITS)
    expect(stateOf(emailed, failed, withdrawn(MAIL), restored(MAIL))).toEqual(['new', null, null, ANA])
  })

  test('by a failed email after another reply leaves the lead answered by that one', () => {
    expect(stateOf(emailed, called, failed)).toEqual(['contacted', at(3), BEN, ANA])
    expect(stateOf(emailed, failed, called)).toEqual(['contacted', at(4), BEN, ANA])
    const arrived = leadAnswerRestored({ answerId: MAIL, at: at(9) })
    expect(stateOf(emailed, failed, called, arrived)).toEqual(['contacted', at(4), BEN, ANA])
    expect(leadOf(streamOf(emailed, called, failed))).not.toHaveProperty('emailFailedAt')
  })

  test('in a note is removed and restored with it', () => {
    const about = { subjectId: LEAD_ID, personal: { note: 'Wrote an email' } }
    const noted = { id: NOTE, ...leadNoteAdded({ by: ANA, answerId: NOTE, answeredAt: at(0) }, about) }
    const events = streamOf(noted)
    expect(stateOf(noted)).toEqual(['contacted', at(0), ANA, ANA])
    const removed = undo(events[1] as LeadEvent, events, BEN) as object
    expect(stateOf(noted, removed)).toEqual(WAITS)
    const both = streamOf(noted, removed)
    const again = undo(both[2] as LeadEvent, both, BEN) as object
    expect(stateOf(noted, removed, again)).toEqual(stateOf(noted))
  })

  test('does not change a lead whose person was erased', () => {
    const erased = { type: 'LeadErased', data: { by: BEN } }
    expect(leadOf(streamOf(erased, emailed))).toMatchObject({ followUpStatus: 'erased', ownerId: null })
  })
})

describe('the timeline of a reply', () => {
  const flags = (...events: object[]) => {
    const stream = streamOf(...events)
    return stream.slice(1).map((event) => [isUndoable(event, stream), isUndone(event, stream)])
  }

  test('shows its changes, and each event after it', () => {
    const events = streamOf(emailed, called, withdrawn(MAIL), set({ projectValue: 5 }), withdrawn(CALL))
    expect([...changesBy(events).values()]).toEqual([
      {},
      { followUpStatus: 'contacted', ownerId: ANA },
      {},
      { ownerId: BEN },
      { projectValue: 5 },
      { followUpStatus: 'new', ownerId: null },
    ])
  })

  test('says whether it can be withdrawn: a noted one always, a sent one if the lead changes by it', () => {
    expect(flags(emailed)).toEqual([[true, false]])
    expect(flags(emailed, { ...emailed, data: { ...emailed.data, answerId: CALL } })).toEqual([
      [true, false],
      [false, false],
    ])
    expect(flags(emailed, set({ followUpStatus: 'quoted', ownerId: BEN }))[0]).toEqual([false, false])
    expect(flags(called, set({ followUpStatus: 'quoted', ownerId: ANA }))[0]).toEqual([true, false])
  })

  test('says whether it was withdrawn, and whether that can be undone', () => {
    const withdrawnEmail = leadAnswerWithdrawn({ answerId: MAIL, channel: 'email', by: BEN })
    expect(flags(emailed, withdrawnEmail)).toEqual([
      [false, true],
      [true, false],
    ])
    expect(flags(called, withdrawn(CALL))).toEqual([
      [false, true],
      [false, false],
    ])
    expect(flags(emailed, withdrawnEmail, restored(MAIL))).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ])
  })

  test('says whether an email failed for good', () => {
    expect(flags(emailed, failed)[1]).toEqual([true, false])
    expect(flags(emailed, failed, restored(MAIL))[1]).toEqual([false, true])
    expect(flags(emailed, failed, leadAnswerRestored({ answerId: MAIL, at: at(9) }))[1]).toEqual([false, true])
    expect(flags(emailed, failed, set({ followUpStatus: 'lost' }))[1]).toEqual([false, false])
  })
})
