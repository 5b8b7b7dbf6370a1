import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPart } from '../../testing/screen.tsx'
import { StalledBanner } from './stalled-banner.tsx'

const SINCE = '2026-01-05T08:00:00.000Z'

test.each([
  ['leads', /^The lists have been behind since (\d+ \w+ \d{4}, )?\d\d:\d\d$/],
  ['chats', /^Ended chats have been behind since /],
  ['overview', /^The figures have been behind since /],
  ['dispatch', /^The emails have been behind since /],
] as const)(
  'Where the reader of %s is behind, what it keeps says so, since when, and what to do',
  async (consumer, words) => {
    openPart(<StalledBanner of={consumer} />, { 'GET /api/standstill': [{ consumer, since: SINCE }] })
    await screen.findByText(words)
    screen.getByText(/Ask the person who runs the website to look at its worker/)
  },
)

test('After a restored backup the lists are paused', async () => {
  openPart(<StalledBanner of="leads" />, { 'GET /api/standstill': [{ consumer: 'leads', since: null }] })
  await screen.findByText('The lists are paused')
})

test('Data that is up to date shows no banner, nor one about other consumers', async () => {
  let isAsked = false
  openPart(<StalledBanner of="leads" />, {
    'GET /api/standstill': () => {
      isAsked = true
      return [{ consumer: 'overview', since: SINCE }]
    },
  })
  await waitFor(() => expect(isAsked).toBe(true))
  expect(screen.queryByText(/behind/)).toBeNull()
})
