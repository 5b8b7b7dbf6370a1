import { describe, expect, test } from 'vitest'
import type { Erasable, Links } from '../../../events/lead/person/person-wire.ts'
import { chooseLeads, includedChats, stayingInWords, type Ticks } from './erase-choice.ts'

type List = Omit<Erasable, 'asOf'>

const NONE: Ticks = new Map()

const listed = (id: string, links: Links, mergedInto: string | null = null): Erasable['leads'][number] => ({
  id,
  name: id,
  company: null,
  email: '',
  phone: '',
  timestamp: '2026-11-18T10:00:00.000Z',
  mergedInto,
  addresses: [],
  links,
})

const LIST: List = {
  leads: [
    listed('Sipho', [{ by: 'phone', leadId: 'Thandi' }]),
    listed('Thandi', []),
    listed('Thandi before', [{ by: 'merge', leadId: 'Thandi' }], 'Thandi'),
    listed('Partner', [{ by: 'email', leadId: 'Thandi before' }]),
    listed('Friend of Sipho', [{ by: 'email', leadId: 'Sipho' }]),
    listed('Sipho before', [{ by: 'merge', leadId: 'Sipho' }], 'Sipho'),
  ],
  chats: [
    { sessionId: 'hers', visitorName: 'Thandi', startTime: '', messages: 1, leadIds: ['Thandi before'] },
    { sessionId: 'his', visitorName: 'Sipho', startTime: '', messages: 1, leadIds: ['Sipho', 'Friend of Sipho'] },
  ],
}

const going = (ticks: Ticks) =>
  chooseLeads('Thandi', LIST, ticks).flatMap(({ id, isIncluded }) => (isIncluded ? [id] : []))

describe('the leads and chats that are erased with a person', () => {
  test('are the lead, those merged into it, and those with its address, each with the reason', () => {
    const leads = chooseLeads('Thandi', LIST, NONE)
    expect(leads.map(({ id, isIncluded, reason }) => [id, isIncluded, reason])).toEqual([
      ['Thandi', true, 'This lead'],
      ['Thandi before', true, 'Merged into this one'],
      ['Sipho', false, 'Same phone'],
      ['Sipho before', false, 'Merged with Sipho'],
      ['Partner', true, 'Same email'],
      ['Friend of Sipho', false, 'Same email as Sipho'],
    ])
    expect(includedChats(LIST, leads).map(({ sessionId }) => sessionId)).toEqual(['hers'])
  })

  test('are those that the owner ticks, besides the lead itself; merged leads go together', () => {
    const ticks = new Map([
      ['Thandi', false],
      ['Partner', false],
      ['Sipho', true],
    ])
    expect(going(ticks)).toEqual(['Thandi', 'Thandi before', 'Sipho', 'Sipho before'])
  })

  test('include each chat that had the address of an erased lead', () => {
    const chat = { visitorName: 'Guest', startTime: '', messages: 1 }
    const list: List = {
      leads: LIST.leads.slice(0, 2).map((lead, address) => ({ ...lead, addresses: [address] })),
      chats: [
        { ...chat, sessionId: 'his', addresses: [0] },
        { ...chat, sessionId: 'of both', addresses: [0, 1] },
        { ...chat, sessionId: 'hers', addresses: [1] },
      ],
    }
    const chatsWith = (ticks: Ticks) =>
      includedChats(list, chooseLeads('Thandi', list, ticks)).map(({ sessionId }) => sessionId)
    expect(chatsWith(NONE)).toEqual(['of both', 'hers'])
    expect(chatsWith(new Map([['Sipho', true]]))).toEqual(['his', 'of both', 'hers'])
  })

  test('include the lead of a chat with the same email only if the owner ticks it, and then the chat too', () => {
    const list: List = {
      leads: [listed('Thandi', []), listed('Made', [{ by: 'chat', leadId: 'Thandi' }])],
      chats: [{ sessionId: 'of the made', visitorName: 'Thandi', startTime: '', messages: 1, leadIds: ['Made'] }],
    }
    const leads = chooseLeads('Thandi', list, NONE)
    expect(leads[1]).toMatchObject({ isIncluded: false, reason: 'Same email or phone in the chat' })
    expect(includedChats(list, leads)).toEqual([])
    expect(stayingInWords(leads)).toBe('1 lead with the same email or phone in the chat was kept: Made.')
    expect(includedChats(list, chooseLeads('Thandi', list, new Map([['Made', true]])))).toEqual(list.chats)
  })
})

describe('the leads that stay', () => {
  test('are named, with what they have in common', () => {
    const two = { leads: LIST.leads.slice(0, 2) }
    expect(stayingInWords(chooseLeads('Thandi', two, NONE))).toBe('1 lead with the same phone was kept: Sipho.')
    expect(stayingInWords(chooseLeads('Thandi', LIST, new Map([['Partner', false]])))).toBe(
      '1 lead with the same phone, 2 leads related to those and 1 lead with the same email were kept: Sipho; Sipho before; Partner and 1 more.',
    )
  })

  test('are not mentioned if all are erased', () => {
    expect(stayingInWords(chooseLeads('Thandi', { leads: LIST.leads.slice(1, 4) }, NONE))).toBeUndefined()
  })
})
