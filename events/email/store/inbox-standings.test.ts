import { expect, test } from 'vitest'
import { inboxKey, inboxStandings } from './inbox-standings.ts'

test('inboxes are listed by address in the order of the settings, and those no longer set at the end', () => {
  const standings = {
    [inboxKey('event', 'second@agency.example')]: 'refused',
    [inboxKey('event', 'gone@agency.example')]: 'deferred',
    [inboxKey('event', 'Inbox@agency.example')]: 'delivered',
  } as const
  const addresses = ['inbox@agency.example', 'second@agency.example', 'new@agency.example', 'inbox@agency.example']
  expect(inboxStandings('event', standings, addresses)).toEqual([
    { address: 'inbox@agency.example', standing: 'delivered' },
    { address: 'second@agency.example', standing: 'refused' },
    { address: null, standing: 'deferred' },
  ])
  expect(inboxStandings('event', {}, addresses)).toEqual([])
})

test('the key of an inbox holds no address, and differs for each email', () => {
  const key = inboxKey('event', 'inbox@agency.example')
  expect(key).toMatch(/^[\w-]{22}$/)
  expect(key).not.toBe(inboxKey('another', 'inbox@agency.example'))
})
