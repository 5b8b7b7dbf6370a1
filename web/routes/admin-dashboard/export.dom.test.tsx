import { act, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { TEST_LEADS } from '../../staff/leads/test-leads.ts'
import { foundInAll, openTestDashboard } from '../../testing/dashboard.ts'
import { answerRequests, problem } from '../../testing/server.ts'

const SUMMARY = { total: 6_000, days: [{ day: '2026-11-18', count: 6_000 }] }

/** Catches what is saved as files. */
const catchFiles = () => {
  const saved: { name: string; file: Blob }[] = []
  const { createObjectURL, revokeObjectURL } = URL
  const { click } = HTMLAnchorElement.prototype
  const files = new Map<string, Blob>()
  URL.createObjectURL = (file: Blob) => {
    files.set(`blob:${files.size}`, file)
    return `blob:${files.size - 1}`
  }
  URL.revokeObjectURL = () => {}
  HTMLAnchorElement.prototype.click = function save() {
    const file = files.get(this.href)
    if (file) saved.push({ name: this.download, file })
  }
  onTestFinished(() => {
    Object.assign(URL, { createObjectURL, revokeObjectURL })
    HTMLAnchorElement.prototype.click = click
  })
  return saved
}
const format = () => screen.getByLabelText<HTMLSelectElement>('File format')
const press = (name: string) => screen.getByText(name, { selector: 'button' })
const openFound = async (query: string, count: number, more = '', answers = {}) => {
  const shown = await openTestDashboard([...TEST_LEADS.slice(0, 4), ...TEST_LEADS.slice(-2)], query, { answers })
  await foundInAll(count, more)
  return shown
}

test('The leads of the period and the search are exported as a CSV file that is named after them', async () => {
  const saved = catchFiles()
  const { user, go } = await openFound('?period=week', 4)
  const exported = async (count: number) => {
    await user.click(press('Export to Excel'))
    await waitFor(() => expect(saved).toHaveLength(count))
    const { name = '', file } = saved[count - 1] ?? {}
    return { name, text: (await file?.text()) ?? '' }
  }
  const week = await exported(1)
  expect(week.name).toBe('karoo-web-studio-week-2026-11-15.csv')
  expect(week.text.trimEnd().split('\r\n')).toHaveLength(5)
  expect(week.text).toContain('"You are an expert web developer. ""Build"" it."')
  expect(week.text).toContain('"+27 82 555 0177"')
  await go('/admin-dashboard?period=all')
  await foundInAll(6)
  expect((await exported(2)).name).toBe('karoo-web-studio-leads-all-dates.csv')
  await go('/admin-dashboard?q=sipho')
  await foundInAll(1, ' (filtered by "sipho")')
  const day = await exported(3)
  expect(day.name).toBe('karoo-web-studio-leads-2026-11-18.csv')
  expect(day.text.trimEnd().split('\r\n')).toHaveLength(2)
})

test('A long export shows how far it is, can be cancelled, tells a failure, and an empty one is refused', async () => {
  const held = Promise.withResolvers<Response>()
  let export1000: () => unknown = () => held.promise
  const { user, api } = await openFound('', 6_000, '', { 'GET /api/leads/summary': SUMMARY })
  const list = api.answers['GET /api/leads'] as (sent: { query: URLSearchParams }) => unknown
  answerRequests({
    'GET /api/leads': (sent: { query: URLSearchParams }) =>
      sent.query.get('limit') === '1000' ? export1000() : list(sent),
  })
  const button = press('Export to Excel')
  button.focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Exporting')
  expect(document.activeElement).toBe(press('Cancel'))
  await waitFor(() => expect(screen.getByRole('progressbar', { hidden: true }).getAttribute('max')).toBe('6000'))
  await user.click(press('Cancel'))
  await screen.findByText('Export cancelled')
  expect(document.activeElement).toBe(press('Export to Excel'))
  expect(screen.queryByText('The export failed')).toBeNull()
  await act(async () => held.resolve(problem(500)))

  export1000 = () => problem(503)
  await user.click(press('Export to Excel'))
  await screen.findByText('The export failed')

  export1000 = () => []
  const alerts: string[] = []
  const { alert } = window
  onTestFinished(() => {
    window.alert = alert
  })
  window.alert = (text) => void alerts.push(String(text))
  globalThis.alert = window.alert
  const refused = 'No submissions to export for the selected period.'
  await user.click(press('Export to Excel'))
  await waitFor(() => expect(alerts).toEqual([refused]))

  answerRequests({ 'GET /api/leads/export': new Response('a workbook', { headers: { 'x-total-rows': '0' } }) })
  await user.selectOptions(format(), 'Excel workbook (all columns)')
  await user.click(press('Export to Excel'))
  await waitFor(() => expect(alerts).toEqual([refused, refused]))
})

test('The CSV file comes first, and the browser remembers who would rather have the workbook', async () => {
  const { user, close } = await openFound('', 3)
  expect(format().value).toBe('csv')
  await user.selectOptions(format(), 'xlsx')
  close()
  await openFound('', 3)
  expect(format().value).toBe('xlsx')
})
