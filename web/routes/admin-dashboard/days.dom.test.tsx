import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { cardTitled, foundInAll, openTestDashboard, titledAs } from '../../testing/dashboard.ts'
import { TEST_LEADS } from '../../testing/staff-leads.ts'

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

/** Opens the dashboard; the calendar's field is there once this resolves. */
const openDays = async (query = '', options: Parameters<typeof openTestDashboard>[2] = {}) => {
  const shown = await openTestDashboard([...TEST_LEADS.slice(0, 4), ...TEST_LEADS.slice(-2)], query, options)
  const date = await waitFor(() => {
    const field = screen.getByLabelText<HTMLInputElement>('Date')
    expect(field.readOnly).toBe(false)
    return field
  })
  return { ...shown, date }
}
/** Presses Enter; the calendar leaves its field in the next frame. */
const enter = async (user: Awaited<ReturnType<typeof openDays>>['user']) => {
  await user.keyboard('{Enter}')
  await new Promise(requestAnimationFrame)
}
const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
const cellOf = (calendar: HTMLElement, day: RegExp) =>
  within(calendar).getByLabelText((text) => day.test(text), { selector: '[role=gridcell]' })

test('A day is picked from the calendar, which closes, and there always is one', async () => {
  const { user, query, back, date } = await openDays()
  expect(date.value).toBe('18 November 2026')
  await user.click(date)
  const calendar = await screen.findByRole('dialog')
  within(calendar).getByText('November 2026', { selector: 'strong' })
  expect(within(calendar).getAllByRole('columnheader')[0]?.textContent).toMatch(/^Su/)
  // five weeks from Sunday, 1 November to Saturday, 5 December: the outside days are shown
  expect(within(calendar).getAllByRole('gridcell')).toHaveLength(35)
  await user.click(within(calendar).getByLabelText('Previous month'))
  within(calendar).getByText('October 2026', { selector: 'strong' })
  await user.click(within(calendar).getByLabelText('Next month'))
  await user.click(cellOf(calendar, /17 November/))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await titledAs('Tuesday, 17 November 2026')
  await foundInAll(1)
  await cardTitled('Late Yesterday')
  expect(query()).toBe('?date=2026-11-17')
  await user.clear(date)
  await user.keyboard('{Escape}')
  await user.tab()
  await waitFor(() => expect(date.value).toBe('17 November 2026'))
  await titledAs('Tuesday, 17 November 2026')
  await user.click(screen.getByText('Today', { selector: 'button' }))
  await titledAs('Wednesday, 18 November 2026')
  await back()
  await titledAs('Tuesday, 17 November 2026')
})

test('A day that is typed key by key, or picked again, is one step in the history', async () => {
  const { user, query, back, date } = await openDays()
  await user.clear(date)
  await user.type(date, '12 January 2025{Enter}')
  await titledAs('Sunday, 12 January 2025')
  await user.click(date)
  await user.click(cellOf(await screen.findByRole('dialog'), /12 January/))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await back()
  await titledAs('Wednesday, 18 November 2026')
  expect(query()).toBe('')
})

test('A day can be typed as is usual here, and an invalid one is reported', async () => {
  const { user, query, date } = await openDays()
  await user.click(date)
  for (const [typed, address] of [
    ['05/11/2026', '?date=2026-11-05'],
    ['6 Nov 2026', '?date=2026-11-06'],
    ['2026-11-07', '?date=2026-11-07'],
    ['8/11/2026', '?date=2026-11-08'],
  ] as const) {
    fill(date, typed)
    await waitFor(() => expect(query()).toBe(address))
  }
  await enter(user)
  for (const typed of ['31 February 2026', '31/02/2026', '11/25/2026', 'next week']) {
    await user.click(date)
    fill(date, typed)
    await enter(user)
    await user.tab()
    await screen.findByText('Enter a date like 5 November 2026')
    await waitFor(() => expect(date.value).toBe('8 November 2026'))
    expect(date.getAttribute('aria-invalid')).toBe('true')
  }
  fill(date, '9 November 2026')
  await waitFor(() => expect(query()).toBe('?date=2026-11-09'))
  await user.tab()
  expect(screen.queryByText('Enter a date like 5 November 2026')).toBeNull()
})

test('Days are those of South Africa in a browser elsewhere', async () => {
  process.env.TZ = 'America/New_York'
  const { user } = await openDays('?date=2026-10-31')
  await foundInAll(1)
  within(await cardTitled('Last Of October')).getByText('23:59')
  await user.selectOptions(screen.getByLabelText('Period'), 'month')
  await titledAs('October 2026')
  await foundInAll(1)
})

test.each([
  // three zones at the end of their daylight saving, when the day differs from that of South Africa or is longer
  ['America/New_York', '2026-11-01T05:30:00Z', 'Sunday, 1 November 2026', '1 November 2026', '2 November'],
  ['America/New_York', '2026-10-31T22:30:00Z', 'Sunday, 1 November 2026', '1 November 2026', '2 November'],
  ['Pacific/Auckland', '2026-04-04T14:30:00Z', 'Saturday, 4 April 2026', '4 April 2026', '5 April'],
  ['Europe/London', '2026-10-25T00:59:00Z', 'Sunday, 25 October 2026', '25 October 2026', '26 October'],
])('In %s at %s today is %s', async (timeZone, now, today, value, next) => {
  process.env.TZ = timeZone
  expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(timeZone)
  const { user, query, date } = await openDays('', { now })
  await titledAs(today)
  expect(date.value).toBe(value)
  await user.click(date)
  await user.click(cellOf(await screen.findByRole('dialog'), new RegExp(` ${next}`)))
  const day = new Date(`${value} 12:00Z`)
  day.setUTCDate(day.getUTCDate() + 1)
  await waitFor(() => expect(query()).toBe(`?date=${day.toISOString().slice(0, 10)}`))
})
