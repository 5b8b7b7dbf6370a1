import { act, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { foundInAll, openTestDashboard } from '../../testing/dashboard.ts'
import { answerRequests, problem, requestsOf } from '../../testing/server.ts'
import { TEST_LEADS } from '../../testing/staff-leads.ts'

/** Catches the files that are saved. */
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
const openFound = async (query: string, count: number, more = '') => {
  const shown = await openTestDashboard([...TEST_LEADS.slice(0, 4), ...TEST_LEADS.slice(-2)], query)
  await foundInAll(count, more)
  return shown
}

/** An export as the API sends it. */
const exportOf = (text: string, name: string, rows: number) =>
  new Response(text, {
    headers: { 'content-disposition': `attachment; filename="${name}"`, 'x-total-rows': `${rows}` },
  })

test('The leads of the period and the search are exported in the chosen format, under the name that the API sends', async () => {
  const saved = catchFiles()
  const { user, go } = await openFound('?period=week', 4)
  const exported = async (count: number) => {
    answerRequests({ 'GET /api/leads/export': exportOf(`File ${count}`, `export-${count}.csv`, count) })
    await user.click(press('Export to Excel'))
    await waitFor(() => expect(saved).toHaveLength(count))
    const { name, file } = saved[count - 1] ?? expect.fail('No file')
    expect([name, await file.text()]).toEqual([`export-${count}.csv`, `File ${count}`])
    return Object.fromEntries(requestsOf('GET /api/leads/export').at(-1)?.query ?? [])
  }
  const week = { from: '2026-11-14T22:00:00.000Z', to: '2026-11-21T22:00:00.000Z' }
  expect(await exported(1)).toEqual({ ...week, sort: 'desc', format: 'csv' })
  await go('/admin-dashboard?period=all')
  await foundInAll(6)
  expect(await exported(2)).toEqual({ sort: 'desc', format: 'csv' })
  await go('/admin-dashboard?q=sipho')
  await foundInAll(1, ' (filtered by "sipho")')
  await user.selectOptions(format(), 'Excel workbook (all columns)')
  expect(await exported(3)).toMatchObject({ q: 'sipho', format: 'xlsx' })
})

test('An export can be cancelled, its failure is shown, and an empty one is refused', async () => {
  const saved = catchFiles()
  const held = Promise.withResolvers<Response>()
  const { user } = await openFound('', 3)
  answerRequests({ 'GET /api/leads/export': () => held.promise })
  const button = press('Export to Excel')
  button.focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Exporting')
  expect(document.activeElement).toBe(press('Cancel'))
  await user.click(press('Cancel'))
  await screen.findByText('Export cancelled')
  expect(document.activeElement).toBe(press('Export to Excel'))
  expect(screen.queryByText('The export failed')).toBeNull()
  await act(async () => held.resolve(problem(500)))

  answerRequests({ 'GET /api/leads/export': () => problem(503) })
  await user.click(press('Export to Excel'))
  await screen.findByText('The export failed')

  const alerts: string[] = []
  const { alert } = window
  onTestFinished(() => {
    window.alert = alert
  })
  window.alert = (text) => void alerts.push(String(text))
  globalThis.alert = window.alert
  answerRequests({ 'GET /api/leads/export': exportOf('', 'empty.csv', 0) })
  await user.click(press('Export to Excel'))
  await waitFor(() => expect(alerts).toEqual(['No submissions to export for the selected period.']))
  expect(saved).toEqual([])
})

test('The CSV file comes first, and the browser remembers a choice of the workbook', async () => {
  const { user, close } = await openFound('', 3)
  expect(format().value).toBe('csv')
  await user.selectOptions(format(), 'xlsx')
  close()
  await openFound('', 3)
  expect(format().value).toBe('xlsx')
})
