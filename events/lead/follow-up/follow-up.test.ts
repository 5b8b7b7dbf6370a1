import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Price } from '../../settings/prices.ts'
import { sampleLeadForm } from '../../testing/fixtures/samples.ts'
import { changesMissed, isUndoable, isUndone, undo } from '../follow-up-history.ts'
import { evolveLead, type Lead, type LeadEvent, leadStreams, submitLead } from '../lead.ts'
import { changeFollowUp, type FollowUp } from './follow-up.ts'

const LEAD_ID = randomUUID()
const [ANA, BEN] = [randomUUID(), randomUUID()] as const
const NOW = new Date('2026-01-15T09:00:00.000Z')

/** A lead's stream, one event a minute. */
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
        recordedAt: new Date(NOW.getTime() + index * 60_000),
        ...event,
      }) as LeadEvent,
  )

const leadOf = (events: LeadEvent[]) => events.reduce<Lead | undefined>(evolveLead, undefined) as Lead
const changed = (change: FollowUp, by: string = ANA) => ({ type: 'LeadFollowUpChanged', data: { ...change, by } })
const then = (events: LeadEvent[], event: object | undefined) => {
  const [, ...rest] = events
  if (!event) throw new Error('There is nothing to append')
  return [...events, ...streamOf(...rest, event).slice(-1)]
}
const at = (events: LeadEvent[], version: number) => events[version - 1] as LeadEvent

describe('a change of a lead', () => {
  const lead = leadOf(streamOf())
  const change = (wanted: FollowUp, from: Lead = lead, agreed?: Price) =>
    changeFollowUp({ lead: from, change: wanted, staffId: ANA, now: NOW, packages: {}, agreed })?.data

  test('holds only the changed fields', () => {
    expect(change({})).toBeUndefined()
    expect(change({ followUpStatus: 'new', projectValue: null })).toBeUndefined()
    expect(change({ followUpStatus: 'new', projectValue: 5 })).toEqual({ projectValue: 5, by: ANA })
  })

  test('to won sets the date, unless staff have set it', () => {
    expect(change({ followUpStatus: 'won' })).toEqual({
      followUpStatus: 'won',
      conversionDate: NOW.toISOString(),
      by: ANA,
    })
    expect(change({ followUpStatus: 'won', conversionDate: null })).toMatchObject({ conversionDate: NOW.toISOString() })
    const conversionDate = '2026-01-02T10:00:00.000Z'
    expect(change({ followUpStatus: 'won', conversionDate })).toMatchObject({ conversionDate })
    expect(change({ followUpStatus: 'won' }, { ...lead, conversionDate })).toEqual({ followUpStatus: 'won', by: ANA })
  })

  test('to won sets the value of a signed contract to its first year, unless staff have set it', () => {
    const signed: Lead = { ...lead, leadSource: 'contract_premium' }
    expect(change({ followUpStatus: 'won' }, signed)).toMatchObject({ projectValue: 1_499 + 12 * 499 })
    const small: Lead = { ...lead, leadSource: 'contract_essential' }
    expect(change({ followUpStatus: 'won' }, small)).toMatchObject({ projectValue: 999 })
    const agreed = { once: 2_000, monthly: 100 }
    expect(change({ followUpStatus: 'won' }, signed, agreed)).toMatchObject({ projectValue: 2_000 + 12 * 100 })
    expect(change({ followUpStatus: 'won', projectValue: 5 }, signed)).toMatchObject({ projectValue: 5 })
    const others: [FollowUp, Lead][] = [
      [{ followUpStatus: 'won', projectValue: null }, signed],
      [{ followUpStatus: 'won' }, { ...signed, projectValue: 5 }],
      [{ followUpStatus: 'won' }, { ...lead, leadSource: 'contract_other' }],
      [{ followUpStatus: 'won' }, lead],
      [{ followUpStatus: 'quoted' }, signed],
      [{ nextActionDate: '2026-07-01' }, { ...signed, followUpStatus: 'won' }],
    ]
    for (const [wanted, from] of others) expect(change(wanted, from)).not.toHaveProperty('projectValue')
  })

  test('away from won does not change the date and the value', () => {
    const won: Lead = { ...lead, followUpStatus: 'won', conversionDate: NOW.toISOString(), projectValue: 1_499 }
    expect(change({ followUpStatus: 'lost' }, won)).toEqual({ followUpStatus: 'lost', by: ANA })
    expect(change({ conversionDate: null }, won)).toEqual({ conversionDate: null, by: ANA })
  })

  test('to lost removes the next action, unless the change plans one', () => {
    const planned: Lead = { ...lead, followUpStatus: 'quoted', nextActionDate: '2026-01-20' }
    expect(change({ followUpStatus: 'lost' }, planned)).toEqual({
      followUpStatus: 'lost',
      nextActionDate: null,
      by: ANA,
    })
    const again = { followUpStatus: 'lost', nextActionDate: '2026-07-01' } as const
    expect(change(again, planned)).toEqual({ ...again, by: ANA })
    expect(change({ followUpStatus: 'won' }, planned)?.nextActionDate).toBeUndefined()
    const lost: Lead = { ...planned, followUpStatus: 'lost' }
    expect(change({ projectValue: 5 }, lost)).toEqual({ projectValue: 5, by: ANA })
  })

  test('answers the lead when it leaves new, and not again', () => {
    const events = streamOf(changed({ projectValue: 5 }), changed({ followUpStatus: 'contacted' }))
    expect(leadOf(events.slice(0, 1)).answeredAt).toBeNull()
    expect(leadOf(events.slice(0, 2)).answeredAt).toBeNull()
    expect(leadOf(events).answeredAt).toBe('2026-01-15T09:02:00.000Z')
    const later = then(events, changed({ followUpStatus: 'quoted' }))
    expect(leadOf(later).answeredAt).toBe('2026-01-15T09:02:00.000Z')
    expect(leadOf(then(later, changed({ followUpStatus: 'new' }))).answeredAt).toBeNull()
  })
})

describe('changes by others since then', () => {
  const events = streamOf(changed({ projectValue: 5, ownerId: BEN }, BEN), changed({ followUpStatus: 'quoted' }, ANA))
  const missed = (change: FollowUp, seenVersion: number, staffId: string = ANA) =>
    changesMissed({ lead: leadOf(events), events }, { change, staffId, seenVersion }).map(({ event }) => event.version)

  test('are shown for the same fields only', () => {
    expect(missed({ projectValue: 7 }, 1)).toEqual([2])
    expect(missed({ nextActionDate: '2026-02-01' }, 1)).toEqual([])
    expect(missed({ projectValue: 7, nextActionDate: '2026-02-01' }, 1)).toEqual([2])
  })

  test("are not shown if they were seen, are the author's own, or have the wanted value", () => {
    expect(missed({ projectValue: 7 }, 2)).toEqual([])
    expect(missed({ followUpStatus: 'won' }, 1)).toEqual([])
    expect(missed({ followUpStatus: 'won' }, 1, BEN)).toEqual([3])
    expect(missed({ projectValue: 5 }, 1)).toEqual([])
  })
})

describe('undo', () => {
  test('of a change restores the former values', () => {
    const events = streamOf(
      changed({ followUpStatus: 'contacted', projectValue: 100 }),
      changed({ followUpStatus: 'won', conversionDate: NOW.toISOString(), projectValue: 5 }),
    )
    const undoing = undo(at(events, 3), events, BEN)
    expect(undoing).toMatchObject({ type: 'LeadFollowUpChanged', data: { by: BEN, undoes: at(events, 3).id } })
    const after = then(events, undoing)
    expect(leadOf(after)).toEqual({ ...leadOf(events.slice(0, 2)), version: 4 })
    expect(isUndone(at(after, 3), after)).toBe(true)
  })

  test('can itself be undone, including the time of the first reply', () => {
    const events = streamOf(changed({ followUpStatus: 'contacted' }), changed({ followUpStatus: 'new' }))
    const undone = then(events, undo(at(events, 3), events, ANA))
    expect(leadOf(undone).answeredAt).toBe('2026-01-15T09:01:00.000Z')
    const again = then(undone, undo(at(undone, 4), undone, ANA))
    expect(leadOf(again)).toEqual({ ...leadOf(events), version: 5 })
    expect(isUndone(at(again, 3), again)).toBe(false)
    expect(isUndone(at(again, 4), again)).toBe(true)
  })

  test('is refused once a later change touched the same fields', () => {
    const events = streamOf(
      changed({ followUpStatus: 'contacted', projectValue: 1 }),
      changed({ ownerId: BEN }),
      changed({ projectValue: 2 }),
    )
    expect(events.map((event) => isUndoable(event, events))).toEqual([false, false, true, true])
  })

  test('of a note removes it, and undoing that restores it, once', () => {
    const note = { type: 'LeadNoteAdded', data: { by: ANA }, subjectId: LEAD_ID, personal: { note: 'Call on Friday' } }
    const noted = streamOf(note)
    const removed = then(noted, undo(at(noted, 2), noted, BEN))
    expect(at(removed, 3)).toMatchObject({ type: 'LeadNoteRemoved', data: { by: BEN, noteId: at(noted, 2).id } })
    expect([isUndoable(at(removed, 2), removed), isUndone(at(removed, 2), removed)]).toEqual([false, true])
    const restored = then(removed, undo(at(removed, 3), removed, ANA))
    expect(at(restored, 4)).toMatchObject({ ...note, data: { by: ANA, restores: at(removed, 3).id } })
    expect(restored.map((event) => isUndoable(event, restored))).toEqual([false, false, false, true])
  })

  test('cannot restore a note once the person has been erased', () => {
    const note = { type: 'LeadNoteAdded', data: { by: ANA }, subjectId: LEAD_ID, personal: { note: 'Call on Friday' } }
    const events = streamOf(note, { type: 'LeadErased', data: { by: ANA } })
    expect(isUndoable(at(events, 2), events)).toBe(false)
    expect(undo(at(events, 1), events, ANA)).toBeUndefined()
  })
})
