import { afterEach, expect, it, vi } from 'vitest'
import { noteArrival } from './note-arrival.ts'
import { knownTouches, touchOf } from './touches.ts'

const device = (storage: Record<string, string> = {}) => {
  vi.stubGlobal('localStorage', Object.assign(storage, { getItem: (key: string) => storage[key] ?? null }))
  return (address: string, referrer = '') => {
    vi.stubGlobal('location', new URL(address))
    vi.stubGlobal('document', { referrer })
    noteArrival()
  }
}

afterEach(() => vi.unstubAllGlobals())

it('keeps the campaign, the host that linked here and the path, and nothing else of the addresses', () => {
  const search =
    '?utm_source=google&utm_medium=cpc&utm_campaign=spring+sale&utm_term=web&utm_content=a%26b&email=a@b.example'
  expect(touchOf({ search, path: '/contract/premium', referrer: 'https://www.google.com/search?q=secret' })).toEqual({
    source: 'google',
    medium: 'cpc',
    campaign: 'spring sale',
    term: 'web',
    content: 'a&b',
    referrer: 'www.google.com',
    landingPage: '/contract/premium',
  })
})

it('knows the first visit for good, and the last that came from elsewhere', () => {
  const visit = device()
  visit('https://site.example/?utm_source=flyer')
  visit('https://site.example/contract/premium', 'https://site.example/')
  expect(knownTouches().lastTouch).toEqual(knownTouches().firstTouch)
  visit('https://site.example/thanks', 'https://www.google.com/')
  visit('https://site.example/')
  const { firstTouch, lastTouch } = knownTouches()
  expect([firstTouch?.source, firstTouch?.landingPage]).toEqual(['flyer', '/'])
  expect([lastTouch?.source, lastTouch?.referrer, lastTouch?.landingPage]).toEqual([null, 'www.google.com', '/thanks'])
  visit('https://site.example/contract/essential?utm_source=newsletter')
  expect(knownTouches().lastTouch?.source).toBe('newsletter')
  expect(knownTouches().firstTouch?.source).toBe('flyer')
})

it('knows nothing on a device that keeps nothing, or kept something else', () => {
  const nothing = { firstTouch: null, lastTouch: null }
  device({ 'first-touch': '{broken', 'last-touch': 'null' })
  expect(knownTouches()).toEqual(nothing)
  const refusing = new Proxy({}, { get: () => expect.fail('storage is off'), set: () => false })
  vi.stubGlobal('localStorage', refusing)
  vi.stubGlobal('location', new URL('https://site.example/'))
  vi.stubGlobal('document', { referrer: '' })
  expect(noteArrival).not.toThrow()
  expect(knownTouches()).toEqual(nothing)
})
