import { screen, waitFor } from '@testing-library/react'
import { vi } from 'vitest'
import { type ListedLead, leadsApi } from './leads.ts'
import { openScreen } from './screen.tsx'
import type { Answer } from './server.ts'
import { TEST_NOW } from './staff-leads.ts'

/**
 * Opens the dashboard with the given leads, at `now`, which is in the week of the test leads unless a test sets another
 * time.
 */
export const openTestDashboard = async (
  given: readonly ListedLead[],
  query = '',
  { now = TEST_NOW, answers = {} }: { now?: string; answers?: Record<string, Answer> } = {},
) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(new Date(now))
  const api = leadsApi(given)
  const shown = await openScreen(`/admin-dashboard${query}`, { ...api.answers, ...answers })
  await screen.findByText('Leads dashboard', { selector: 'h1' })
  return { api, ...shown, query: () => shown.address().replace('/admin-dashboard', '') }
}

/** Waits until the line of counts shows this. */
export const foundInAll = (count: number, more = '') => screen.findByText(`${count} submissions found${more}`)

/** Waits until the period has this title. */
export const titledAs = (text: string) => screen.findByText(text, { selector: 'h2' })

// quicker than by their role, which many elements have
const cards = () => [...document.querySelectorAll<HTMLElement>('article')]

/** The titles of the cards, in order. */
export const cardTitles = () => cards().map((card) => card.getAttribute('aria-label'))

/** The card with a title, once it is there. */
export const cardTitled = (title: string) =>
  waitFor(() => {
    const card = cards().find((each) => each.getAttribute('aria-label') === title)
    if (!card) throw new Error(`There is no card ${title}`)
    return card
  })
