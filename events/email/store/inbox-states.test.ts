import { expect, test } from 'vitest'
import { inboxKey, inboxStatesOf } from './inbox-states.ts'

test('inboxes are listed by address in the order of the settings, and those no longer set at the end', () => {
  const inboxStates = {
    [inboxKey('event', 'second@agency.example')]: 'refused',
    [inboxKey('event', 'gone@agency.example')]: 'deferred',
    [inboxKey('event', 'Inbox@agency.example')]: 'delivered',
  } as const
  const addresses = ['inbox@agency.example', 'second@agency.example', 'new@agency.example', 'inbox@agency.example']
  expect(inboxStatesOf('event', inboxStates, addresses)).toEqual([
    { address: 'inbox@agency.example', state: 'delivered' },
    { address: 'second@agency.example', state: 'refused' },
    { address: null, state: 'deferred' },
  ])
  expect(inboxStatesOf('event', {}, addresses)).toEqual([])
})

test('the key of an inbox holds no address, and differs for each email', () => {
  const key = inboxKey('event', 'inbox@agency.example')
  expect(key).toMatch(/^[\w-]{22}$/)
  expect(key).not.toBe(inboxKey('another', 'inbox@agency.example'))
})
