import { describe, expect, it } from 'vitest'
import { MAX_TERM_CHARACTERS, readView, withView } from './address.ts'

const read = (query: string) => readView(new URLSearchParams(query))
const write = (query: string, change: Parameters<typeof withView>[1]) =>
  withView(new URLSearchParams(query), change).toString()

describe('the address of a list', () => {
  it('leaves out the values of a first visit', () => {
    const first = { period: 'day', day: undefined, until: undefined, term: '', kinds: {}, sort: 'desc', page: 1 }
    expect(read('')).toEqual(first)
    expect(write('period=week&date=2026-01-31&q=jane&sort=asc&page=3', { ...first } as never)).toBe('')
  })

  it('contains period, day, term, order and page', () => {
    const query = 'period=week&date=2026-01-31&q=jane&sort=asc&page=3'
    expect(read(query)).toMatchObject({ period: 'week', day: '2026-01-31', term: 'jane', sort: 'asc', page: 3 })
    expect(write(query, { page: 4 })).toBe('period=week&date=2026-01-31&q=jane&sort=asc&page=4')
  })

  it('contains a range of days and the filters', () => {
    const query =
      'period=range&date=2026-01-31&until=2026-02-03&status=won&owner=none&source=Website+Info+Form&package=premium&overdue=true&nextAction=due'
    const kinds = {
      status: 'won',
      owner: 'none',
      source: 'Website Info Form',
      package: 'premium',
      overdue: 'true',
      nextAction: 'due',
    } as const
    expect(read(query)).toMatchObject({ period: 'range', day: '2026-01-31', until: '2026-02-03', kinds })
    expect(write('', read(query))).toBe(query)
    expect(write(query, { period: 'week', kinds: { owner: 'me' } })).toBe('period=week&date=2026-01-31&owner=me')
  })

  it('contains no day for a period that ends today', () => {
    expect(write('date=2026-01-31', { period: 'last7' })).toBe('period=last7')
    expect(read('period=last7')).toMatchObject({ period: 'last7', day: undefined })
  })

  it('returns to the first page for another list, and leaves other parameters alone', () => {
    expect(write('page=3&theme=x', { term: 'jo' })).toBe('theme=x&q=jo')
    expect(write('page=3', { sort: 'asc' })).toBe('sort=asc')
  })

  it.each([
    'period=year',
    'date=2026-02-30',
    'date=2026-13-01',
    'date=tomorrow',
    'date=0026-01-01',
    'sort=up',
    'page=0',
    'page=-1',
    'page=1e9',
    'page=two',
    'until=soon',
    'status=unknown',
    'owner=somebody',
    'source=hero',
    'package=toString',
    'overdue=1',
    'nextAction=1',
  ])('is as on a first visit where it cannot be read: %s', (query) => {
    expect(read(query)).toEqual(read(''))
  })

  it('cuts a term that is longer than any field, and repairs a split character', () => {
    const { term } = read(new URLSearchParams({ q: 'x'.repeat(10_240) }).toString())
    expect(term.length).toBe(MAX_TERM_CHARACTERS)
    expect(write('', { term: `${'x'.repeat(MAX_TERM_CHARACTERS - 1)}😀` })).toContain(encodeURIComponent('\u{FFFD}'))
    for (const odd of [`"O'Neil"`, '100%', '_', '\\', '😀', '<b>'])
      expect(read(write('', { term: odd }))).toMatchObject({ term: odd })
  })
})
