import { describe, expect, it } from 'vitest'
import { testLead } from '../../testing/lead.ts'
import { asStored, asTyped, clashOf, type Editing, evolveEditing, IDLE, withEdit } from './use-follow-up.ts'

const TODAY = '2026-11-21'

describe('edits of a follow-up', () => {
  const lead = testLead()

  it('leave out a field that is back at its former value', () => {
    const edits = withEdit({}, { followUpStatus: 'contacted' }, lead, TODAY)
    expect(edits).toEqual({ followUpStatus: 'contacted' })
    expect(withEdit(edits, { followUpStatus: 'new' }, lead, TODAY)).toEqual({})
  })

  it('set the day on which a lead was won to today, until it is no longer won', () => {
    const edits = withEdit({}, { followUpStatus: 'won' }, lead, TODAY)
    expect(edits).toEqual({ followUpStatus: 'won', conversionDate: TODAY })
    const valued = withEdit(edits, { projectValue: 1499 }, lead, TODAY)
    expect(withEdit(valued, { followUpStatus: 'lost' }, lead, TODAY)).toEqual({ followUpStatus: 'lost' })
  })

  it('give a signed contract that is won its first year’s value, unless it has a value', () => {
    const signed = testLead({ leadSource: 'contract_professional' })
    const won = withEdit({}, { followUpStatus: 'won' }, signed, TODAY)
    expect(won).toEqual({ followUpStatus: 'won', conversionDate: TODAY, projectValue: 1499 + 12 * 299 })
    expect(withEdit(won, { followUpStatus: 'lost' }, signed, TODAY)).toEqual({ followUpStatus: 'lost' })
    expect(withEdit(won, { followUpStatus: 'quoted' }, signed, TODAY)).toEqual({ followUpStatus: 'quoted' })
    const typed = withEdit(won, { projectValue: 4000 }, signed, TODAY)
    expect(withEdit(typed, { followUpStatus: 'quoted' }, signed, TODAY)).toHaveProperty('projectValue', 4000)
    const valued = testLead({ leadSource: 'contract_professional', projectValue: 9000 })
    expect(withEdit({}, { followUpStatus: 'won' }, valued, TODAY)).not.toHaveProperty('projectValue')
    const cleared = withEdit({}, { followUpStatus: 'won', projectValue: null }, valued, TODAY)
    expect(withEdit(cleared, { followUpStatus: 'quoted' }, valued, TODAY)).toHaveProperty('projectValue', null)
  })

  it('leave another value of a lead that has one, whatever its status', () => {
    const valued = testLead({ followUpStatus: 'contacted', projectValue: 14_500.5 })
    expect(withEdit({}, { projectValue: 9000 }, valued, TODAY)).toEqual({ projectValue: 9000 })
    expect(withEdit({}, { projectValue: null }, valued, TODAY)).toEqual({ projectValue: null })
  })

  it('leave the value of a lead that is quoted, and not its day', () => {
    const won = withEdit({}, { followUpStatus: 'won', projectValue: 1499 }, lead, TODAY)
    expect(withEdit(won, { followUpStatus: 'quoted' }, lead, TODAY)).toEqual({
      followUpStatus: 'quoted',
      projectValue: 1499,
    })
  })
})

describe('that the owner was chosen', () => {
  const lead = testLead({ ownerId: null })
  const edit = (now: Editing, change: Parameters<typeof withEdit>[1]) =>
    evolveEditing(now, { type: 'edited', edit: change, lead, today: TODAY })
  const left = (now: Editing) => edit(edit(now, { ownerId: 'ben' }), { ownerId: null })

  it('is true as long as something is edited, and no longer', () => {
    const quoted = edit(IDLE, { followUpStatus: 'quoted' })
    expect(quoted).toMatchObject({ name: 'edited', isOwnerChosen: false })
    expect(left(quoted)).toMatchObject({ edits: { followUpStatus: 'quoted' }, isOwnerChosen: true })
    expect(left(IDLE)).toEqual(IDLE)
    expect(edit(left(IDLE), { followUpStatus: 'quoted' }).isOwnerChosen).toBe(false)
    expect(edit(left(quoted), { followUpStatus: 'new' })).toEqual(IDLE)
  })

  it('is also true for an owner chosen while a change was saved', () => {
    const sent = { nextActionDate: '2026-12-01' }
    const saving = evolveEditing(IDLE, { type: 'sent', change: sent, base: lead })
    const saved = testLead({ ...lead, ...sent, version: lead.version + 1 })
    const since = left(edit(saving, { followUpStatus: 'quoted' }))
    expect(since.name).toBe('saving')
    const edits = { followUpStatus: 'quoted' }
    const afterwards = { ...IDLE, name: 'edited', isOwnerChosen: true }
    expect(evolveEditing(since, { type: 'saved', lead: saved })).toEqual({ ...afterwards, edits, base: saved })
    expect(evolveEditing(left(saving), { type: 'saved', lead: saved })).toEqual(IDLE)
    const refused = { ...afterwards, edits: { ...edits, ...sent }, base: lead }
    expect(evolveEditing(since, { type: 'refused', today: TODAY, conflict: undefined })).toEqual(refused)
    const conflict = { lead, changes: [] }
    expect(evolveEditing(since, { type: 'refused', today: TODAY, conflict })).toEqual({
      ...refused,
      name: 'clashing',
      conflict,
    })
  })
})

it('converts a typed day to its noon at the agency, for every year of four digits', () => {
  expect(asStored({ conversionDate: '2026-11-21' })).toEqual({ conversionDate: '2026-11-21T10:00:00.000Z' })
  expect(asTyped({ conversionDate: '2026-11-21T22:30:00.000Z' })).toEqual({ conversionDate: '2026-11-22' })
  expect(asTyped({ conversionDate: '0002-11-21T10:00:00.000Z' })).toEqual({ conversionDate: '0002-11-21' })
})

describe('a clash with a colleague', () => {
  it('has the fields that both changed to different values', () => {
    const lead = testLead({ version: 3, followUpStatus: 'lost', ownerId: 'sipho' })
    const changes = [
      {
        id: 'e',
        by: 'Sipho',
        timestamp: '2026-11-21T10:00:00.000Z',
        data: { followUpStatus: 'lost', ownerId: 'sipho' },
      },
    ]
    const mine = { followUpStatus: 'won' as const, ownerId: 'sipho', nextActionDate: '2026-12-01' }
    expect(clashOf(mine, { lead, changes }).fields).toEqual(['followUpStatus'])
  })
})
