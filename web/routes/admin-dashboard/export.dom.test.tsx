import { act, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { TEST_LEADS } from '../../staff/leads/test-leads.ts'
import { SIPHO } from '../../testing/answers.ts'
import { foundInAll, openTestDashboard } from '../../testing/dashboard.ts'
import { answerRequests, problem } from '../../testing/server.ts'

const SUMMARY = { total: 6_000, days: [{ day: '2026-11-18', count: 6_000 }] }
const LEAVER = {
  id: '5f20dc71-c74c-4452-bd74-8f7c12a03a00',
  displayName: 'Lerato Former',
  photo: null,
  isRemoved: true,
}

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
const press = (name: string) => screen.getByText(name, { selector: 'button' })
const openCsv = async (query: string, count: number, more = '', answers = {}) => {
  const shown = await openTestDashboard([...TEST_LEADS.slice(0, 4), ...TEST_LEADS.slice(-2)], query, { answers })
  await foundInAll(count, more)
  await shown.user.selectOptions(screen.getByLabelText('File format'), 'csv')
  return shown
}

test('The leads of the period and the search are exported as a CSV file that is named after them', async () => {
  const saved = catchFiles()
  const { user, go } = await openCsv('?period=week', 4)
  const exported = async (count: number) => {
    await user.click(press('Export to CSV'))
    await waitFor(() => expect(saved).toHaveLength(count))
    const { name = '', file } = saved[count - 1] ?? {}
    return { name, text: (await file?.text()) ?? '' }
  }
  const week = await exported(1)
  expect(week.name).toBe('agency-name-week-2026-11-15.csv')
  expect(week.text.trimEnd().split('\r\n')).toHaveLength(5)
  expect(week.text).toContain('"You are an expert web developer. ""Build"" it."')
  expect(week.text).toContain('"+27 82 555 0177"')
  await go('/admin-dashboard?period=all')
  await foundInAll(6)
  expect((await exported(2)).name).toBe('agency-name-leads-all-dates.csv')
  await go('/admin-dashboard?q=sipho')
  await foundInAll(1, ' (filtered by "sipho")')
  const day = await exported(3)
  expect(day.name).toBe('agency-name-leads-2026-11-18.csv')
  expect(day.text.trimEnd().split('\r\n')).toHaveLength(2)
})

test('A CSV file names an owner whose account is removed', async () => {
  const saved = catchFiles()
  const { user, api } = await openCsv('?q=sipho', 1, ' (filtered by "sipho")', {
    'GET /api/staff?former=true': [SIPHO, LEAVER],
  })
  api.unheard('Sipho Khumalo', { ownerId: LEAVER.id })
  await user.click(press('Export to CSV'))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(await saved[0]?.file.text()).toContain('"Lerato Former"')
})

test('A long export shows how far it is, can be cancelled, tells a failure, and an empty one is refused', async () => {
  const held = Promise.withResolvers<Response>()
  let export1000: () => unknown = () => held.promise
  const { user, api } = await openCsv('', 6_000, '', { 'GET /api/leads/summary': SUMMARY })
  const list = api.answers['GET /api/leads'] as (sent: { query: URLSearchParams }) => unknown
  answerRequests({
    'GET /api/leads': (sent: { query: URLSearchParams }) =>
      sent.query.get('limit') === '1000' ? export1000() : list(sent),
  })
  const button = press('Export to CSV')
  button.focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Exporting')
  expect(document.activeElement).toBe(press('Cancel'))
  await waitFor(() => expect(screen.getByRole('progressbar', { hidden: true }).getAttribute('max')).toBe('6000'))
  await user.click(press('Cancel'))
  await screen.findByText('Export cancelled')
  expect(document.activeElement).toBe(press('Export to CSV'))
  expect(screen.queryByText('The export failed')).toBeNull()
  await act(async () => held.resolve(problem(500)))

  export1000 = () => problem(503)
  await user.click(press('Export to CSV'))
  await screen.findByText('The export failed')

  export1000 = () => []
  const alerts: string[] = []
  const { alert } = window
  onTestFinished(() => {
    window.alert = alert
  })
  window.alert = (text) => void alerts.push(String(text))
  globalThis.alert = window.alert
  await user.click(press('Export to CSV'))
  await waitFor(() => expect(alerts).toEqual(['No submissions to export for the selected period.']))
})
