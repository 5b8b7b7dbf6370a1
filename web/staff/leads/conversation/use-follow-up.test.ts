import { describe, expect, it } from 'vitest'
import { testLead } from '../../../testing/lead.ts'
import { clashOf } from './use-follow-up.ts'

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
