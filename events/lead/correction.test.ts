import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sampleLeadForm } from '../testing/fixtures/samples.ts'
import { leadEntries } from '../timeline.ts'
import { type Correction, correctionsMissed, correctLead } from './correction.ts'
import { isUndoable, isUndone, undo } from './follow-up-history.ts'
import { evolveLead, type Lead, type LeadEvent, leadStreams, submitLead } from './lead.ts'

const LEAD_ID = randomUUID()
const [ANA, BEN] = [randomUUID(), randomUUID()] as const

const form = sampleLeadForm({ name: 'Ana Botha', email: 'ana@example.com', phone: '082 700 1000', company: null })

const recorded = (event: object, index: number) =>
  ({
    id: randomUUID(),
    stream: leadStreams.of(LEAD_ID),
    position: index + 1,
    version: index + 1,
    schemaVersion: 1,
    metadata: { actor: { type: 'staff', id: ANA } },
    recordedAt: new Date(),
    ...event,
  }) as LeadEvent

const submitted = [recorded(submitLead({ leadId: LEAD_ID, form }), 0)]
const leadOf = (events: LeadEvent[]) => events.reduce<Lead | undefined>(evolveLead, undefined) as Lead
const then = (events: LeadEvent[], event: object | undefined) => {
  if (!event) throw new Error('There is nothing to append')
  return [...events, recorded(event, events.length)]
}
const correct = (events: LeadEvent[], correction: Correction, staffId: string = ANA) =>
  then(events, correctLead({ lead: leadOf(events), correction, staffId }))
const last = (events: LeadEvent[]) => events.at(-1) as LeadEvent

describe('a correction', () => {
  test('holds only the changed fields, and does not exist without any', () => {
    const lead = leadOf(submitted)
    expect(
      correctLead({ lead, correction: { name: 'Ana Botha', phone: '082 700 1000' }, staffId: ANA }),
    ).toBeUndefined()
    expect(correctLead({ lead, correction: { name: 'Ana Botha', email: 'a@b.example' }, staffId: ANA })).toMatchObject({
      data: { by: ANA },
      subjectId: LEAD_ID,
      personal: { email: 'a@b.example' },
    })
  })

  test('changes the shown fields of the lead, and its version', () => {
    const events = correct(submitted, { email: 'right@example.com', company: 'Botha & Co' })
    expect(leadOf(events)).toMatchObject({ email: 'right@example.com', company: 'Botha & Co', version: 2 })
    const moved = correct(events, { phone: '021 555 0142' })
    expect(leadOf(moved).phoneLinks).toEqual({ shown: '021 555 0142', call: 'tel:+27215550142', whatsapp: null })
    const erased = then(moved, { type: 'LeadErased', data: { by: ANA }, subjectId: null, personal: null })
    expect(leadOf(erased).phoneLinks).toBeNull()
  })

  test('of an address that replaces a missing name corrects the name', () => {
    const nameless = { ...leadOf(submitted), name: 'ana@example.com' }
    const correction = { email: 'right@example.com' }
    expect(correctLead({ lead: nameless, correction, staffId: ANA })?.personal).toEqual({
      name: 'right@example.com',
      email: 'right@example.com',
    })
    const emptied = { ...leadOf(submitted), email: '' }
    expect(correctLead({ lead: emptied, correction: { name: '' }, staffId: ANA })?.personal).toEqual({
      name: '082 700 1000',
    })
  })

  test('is shown only to an author who corrects the same field over it', () => {
    const events = correct(submitted, { email: 'right@example.com' }, BEN)
    const missed = (correction: Correction, staffId: string = ANA) =>
      correctionsMissed({ lead: leadOf(events), events }, { correction, staffId, seenVersion: 1 }).length
    expect(missed({ email: 'other@example.com' })).toBe(1)
    expect(missed({ email: 'right@example.com' })).toBe(0)
    expect(missed({ phone: '082 700 2000' })).toBe(0)
    expect(missed({ email: 'other@example.com' }, BEN)).toBe(0)
  })

  test('can be undone, which restores the former values', () => {
    const corrected = correct(submitted, { email: 'right@example.com', company: 'Botha & Co' })
    expect(isUndoable(last(corrected), corrected)).toBe(true)
    const undone = then(corrected, undo(last(corrected), corrected, BEN))
    expect(leadOf(undone)).toMatchObject({ email: 'ana@example.com', company: null })
    expect(isUndone(last(corrected), undone)).toBe(true)
    expect(isUndoable(last(corrected), undone)).toBe(false)
    const redone = then(undone, undo(last(undone), undone, BEN))
    expect(leadOf(redone)).toMatchObject({ email: 'right@example.com', company: 'Botha & Co' })
  })

  test('cannot be undone if the field was corrected again, or the person could not be reached without it', () => {
    const once = correct(submitted, { email: 'right@example.com' })
    const twice = correct(once, { email: 'better@example.com' })
    expect(isUndoable(last(once), twice)).toBe(false)
    const onlyPhone = correct(submitted, { email: '' })
    const bare = correct(onlyPhone, { email: 'right@example.com' })
    const onlyEmail = correct(bare, { phone: '' })
    expect(isUndoable(last(bare), bare)).toBe(true)
    expect(isUndoable(last(bare), onlyEmail)).toBe(false)
  })

  test('shows the former values in the timeline, until its person is erased', () => {
    const events = correct(submitted, { email: 'right@example.com' })
    expect(leadEntries(events, new Map())[1]).toMatchObject({
      kind: 'corrected',
      data: { email: 'right@example.com', was: { email: 'ana@example.com' } },
    })
    const erased = [...events.map((event) => ({ ...event, personal: null }) as LeadEvent)]
    const known = then(erased, { type: 'LeadErased', data: { by: ANA }, subjectId: null, personal: null })
    expect(leadEntries(known, new Map())[1]).toMatchObject({ data: { by: ANA, was: {} }, isUndoable: false })
    expect(leadOf(known)).toMatchObject({ name: 'Erased', email: '', phone: '' })
  })
})
