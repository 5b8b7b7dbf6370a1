import { expect, test } from 'vitest'
import { audit, type Shown } from './audit.ts'
import type { Ledger } from './ledger.ts'
import type { Logged } from './logged.ts'

const CHAT = 'a chat'
const said = (sequence: number, text = `text ${sequence}`) => ({ sessionId: CHAT, sequence, text })
const lead = (number: number) => ({ id: `id ${number}`, name: `Ana ${number}` })

const LEDGER: Ledger = { messages: [said(1), said(2)], refused: [], leads: [lead(1)], repeated: 0, flaws: [] }
const LOGGED: Logged = { messages: [said(1), said(2)], ends: new Map(), leads: [lead(1)], emails: new Map() }
const ENDED = new Map([[CHAT, 2]])
const SHOWN: Shown = { name: 'Ana', sessionId: CHAT, messages: [said(1), said(2)] }
const WELL = { lost: [], unseen: [], doubled: [], outOfOrder: [], wrong: [] }

const audited = (change: { ledger?: Partial<Ledger>; logged?: Partial<Logged>; shown?: Partial<Shown> }) =>
  audit({ ...LEDGER, ...change.ledger }, { ...LOGGED, ...change.logged }, [{ ...SHOWN, ...change.shown }])

test('nothing is found if everything accepted is there once and was shown', () => {
  expect(audited({})).toEqual(WELL)
  expect(audited({ ledger: { messages: [said(1)] } })).toEqual(WELL)
})

test('an accepted message or form that the log lacks, or has elsewhere, is lost', () => {
  expect(audited({ ledger: { messages: [said(3)] } }).lost).toHaveLength(1)
  expect(audited({ ledger: { messages: [said(1, 'text 2')] } }).lost).toHaveLength(1)
  expect(audited({ ledger: { leads: [lead(2)] } }).lost).toEqual(['the form of Ana 2'])
  expect(audited({ ledger: { leads: [{ ...lead(1), id: 'another' }] } }).lost).toHaveLength(1)
})

test('an event that the log has twice is doubled, and a hole in a chat is out of order', () => {
  const twice = [said(1), said(2), said(3, 'text 1')]
  expect(audited({ logged: { messages: twice }, shown: { messages: twice } })).toMatchObject({
    doubled: ['the log has the message "text 1" 2 times'],
  })
  expect(audited({ logged: { leads: [lead(1), lead(1)] } }).doubled).toHaveLength(1)
  expect(audited({ logged: { messages: [said(1), said(3)] } }).outOfOrder).toHaveLength(1)
})

test('a client that was shown less, or other messages, is reported', () => {
  expect(audited({ shown: { messages: [said(1)] } }).unseen).toHaveLength(1)
  expect(audited({ shown: { messages: [said(1), said(2, 'something else')] } }).wrong).toHaveLength(1)
  const flaws = (['doubled', 'out of order', 'refused'] as const).map((kind) => ({ kind, what: kind }))
  expect(audited({ ledger: { flaws } })).toEqual({
    ...WELL,
    doubled: ['doubled'],
    outOfOrder: ['out of order'],
    wrong: ['refused'],
  })
})

test('an end comes after all messages, in the log and for each client', () => {
  expect(audited({ logged: { ends: ENDED }, shown: { endedAt: 2 } })).toEqual(WELL)
  expect(audited({ logged: { ends: new Map([[CHAT, 1]]) } }).outOfOrder).toHaveLength(1)
  expect(audited({ logged: { ends: ENDED }, shown: { endedAt: 1 } }).outOfOrder).toHaveLength(1)
  expect(audited({ shown: { endedAt: 2 } }).wrong).toHaveLength(1)
})

test('a refused message is not in the log, and its chat has ended', () => {
  const refused = [{ sessionId: CHAT, text: 'too late' }]
  expect(audited({ ledger: { refused }, logged: { ends: ENDED } })).toEqual(WELL)
  expect(audited({ ledger: { refused } }).wrong).toHaveLength(1)
  const stored = [{ sessionId: CHAT, text: 'text 1' }]
  expect(audited({ ledger: { refused: stored }, logged: { ends: ENDED } }).wrong).toHaveLength(1)
})
