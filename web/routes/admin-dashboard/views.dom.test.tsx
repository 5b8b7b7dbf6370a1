import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openTestDashboard, titledAs } from '../../testing/dashboard.ts'
import { requestsOf } from '../../testing/server.ts'
import { TEST_LEADS } from '../../testing/staff-leads.ts'

const views = () => within(screen.getByRole('navigation', { name: 'Views' }))
const dialog = (name = 'Save this view') => screen.findByRole('dialog', { name })
const press = (name: string) => screen.getByRole('button', { name })

type View = { id: string; name: string; query: string }

/** An API that stores views. */
const keptViews = () => {
  let kept: View[] = []
  return {
    'GET /api/me/views': () => kept,
    'POST /api/me/views': ({ body }: { body: unknown }) => {
      kept = [...kept, { id: `50000000-0000-4000-8000-00000000000${kept.length}`, ...(body as Omit<View, 'id'>) }]
      return kept
    },
    'PATCH /api/me/views/*': ({ path, body }: { path: string; body: unknown }) => {
      kept = kept.map((view) => (path.endsWith(view.id) ? { ...view, ...(body as object) } : view))
      return kept
    },
    'DELETE /api/me/views/*': ({ path }: { path: string }) => {
      kept = kept.filter(({ id }) => !path.endsWith(id))
      return kept
    },
  }
}
const open = (query: string) => openTestDashboard(TEST_LEADS.slice(0, 4), query, { answers: keptViews() })

test('The current selection is saved under a name, next to the built-in views, renamed and removed', async () => {
  const { user, query } = await open('?period=week&q=bulk&page=2')
  await user.click(press('Save view'))
  const saving = within(await dialog())
  await user.click(saving.getByRole('button', { name: 'Save' }))
  await saving.findByText('Name is required')
  await user.type(saving.getByLabelText('Name'), 'Bulk of the week')
  await user.click(saving.getByRole('button', { name: 'Save' }))
  const own = await views().findByRole('link', { name: 'Bulk of the week' })
  expect(own.getAttribute('aria-current')).toBe('true')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Edit view'))
  await user.click(views().getByRole('link', { name: 'Overdue' }))
  await user.click(own)
  await waitFor(() => expect(query()).toBe('?period=week&q=bulk'))

  await user.click(await screen.findByRole('button', { name: 'Edit view' }))
  const editing = within(await screen.findByRole('dialog'))
  await user.clear(editing.getByLabelText('Name'))
  await user.type(editing.getByLabelText('Name'), 'Bulk')
  await user.click(editing.getByRole('button', { name: 'Save' }))
  await views().findByRole('link', { name: 'Bulk' })
  await user.click(press('Edit view'))
  await user.click(await screen.findByRole('button', { name: 'Remove view' }))
  await waitFor(() => expect(views().queryByRole('link', { name: 'Bulk' })).toBeNull())
  await screen.findByRole('button', { name: 'Save view' })
})

test('A view saves its dates: picked days unchanged, and the last days relative to today', async () => {
  const { user, query, go } = await open('')
  const save = async (name: string, dates: string) => {
    await user.click(await screen.findByRole('button', { name: 'Save view' }))
    const saving = within(await dialog())
    saving.getByText(`Each time you open it, it shows ${dates}.`)
    await user.type(saving.getByLabelText('Name'), name)
    await user.click(saving.getByRole('button', { name: 'Save' }))
    await views().findByRole('link', { name })
  }
  const goTo = async (address: string, title: string) => {
    await go(`/admin-dashboard${address}`)
    await titledAs(title)
    await waitFor(() => expect(query()).toBe(address))
  }
  await user.selectOptions(screen.getByLabelText('Period'), 'Last 7 Days')
  await waitFor(() => expect(query()).toBe('?period=last7'))
  await save('The last days', 'the last 7 days up to the day you open it (today: 12 November 2026 - 18 November 2026)')
  await goTo('?date=2026-11-16&status=new', 'Monday, 16 November 2026')
  await save('One day', 'the same dates: Monday, 16 November 2026')
  await goTo('?status=won', 'Wednesday, 18 November 2026')
  await save('The day', 'the leads of the day you open it (today: Wednesday, 18 November 2026)')
  await goTo('?period=month&status=won', 'November 2026')
  await save('The month', 'the leads of the month in which you open it (now: November 2026)')
  await user.click(views().getByRole('link', { name: 'The last days' }))
  await waitFor(() => expect(query()).toBe('?period=last7'))
  await titledAs('12 November 2026 - 18 November 2026')
  await user.click(views().getByRole('link', { name: 'One day' }))
  await waitFor(() => expect(query()).toBe('?date=2026-11-16&status=new'))
  expect(requestsOf('POST /api/me/views')).toHaveLength(4)
})
