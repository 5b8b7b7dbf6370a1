import { describe, expect, it } from 'vitest'
import { testLead } from '../../../testing/lead.ts'
import { withOwner } from './change-and-assign.ts'

describe('a change of an unassigned lead', () => {
  it.each(['contacted', 'quoted', 'won'] as const)('makes it one’s own where it is new and becomes %s', (status) => {
    const change = { followUpStatus: status, nextActionDate: '2026-12-01' }
    expect(withOwner(testLead(), change, 'me')).toEqual({ ...change, ownerId: 'me' })
    for (const before of ['contacted', 'quoted', 'won', 'lost'] as const)
      expect(withOwner(testLead({ followUpStatus: before }), change, 'me')).toBe(change)
  })

  it.each([{ followUpStatus: 'lost' }, { followUpStatus: 'new' }, { nextActionDate: '2026-12-01' }] as const)(
    'leaves it to nobody where it is not worked on: %o',
    (change) => {
      expect(withOwner(testLead(), change, 'me')).toBe(change)
    },
  )

  it.each(['sipho', null])('sets the owner that it names: %s', (ownerId) => {
    const change = { followUpStatus: 'contacted', ownerId } as const
    expect(withOwner(testLead(), change, 'me')).toBe(change)
  })

  it('takes no lead from a colleague, and none without an account', () => {
    const change = { followUpStatus: 'contacted' } as const
    expect(withOwner(testLead({ ownerId: 'sipho' }), change, 'me')).toBe(change)
    expect(withOwner(testLead(), change, undefined)).toBe(change)
  })
})
