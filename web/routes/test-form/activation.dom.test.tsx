import { screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { agency } from '../../content/agency.ts'
import { openPage } from '../../testing/page.tsx'
import { problem } from '../../testing/server.ts'

const SEND = { name: 'Send test submission' }
const ON_ITS_WAY = 'The test submission is on its way. Check both inboxes.'

test('The activation page asks for a test submission, and says so', async () => {
  const user = await openPage('/test-form', ['activation'], {
    'POST /api/email-activation': () => new Response(null, { status: 202 }),
  })
  await user.click(screen.getByRole('button', SEND))
  await screen.findByText(ON_ITS_WAY)
})

test.each([
  [429, 'Only a few tests an hour are sent. Please try again later.'],
  [500, `Please try again or contact us directly at ${agency().email}`],
])('The activation page shows the error if the response is %i', async (status, words) => {
  const quiet = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => quiet.mockRestore())
  const user = await openPage('/test-form', ['activation'], { 'POST /api/email-activation': () => problem(status) })
  await user.click(screen.getByRole('button', SEND))
  const toast = await screen.findByText('Submission Failed')
  expect(toast.closest('[role=alert]')?.textContent).toContain(words)
  expect(screen.queryByText(ON_ITS_WAY)).toBeNull()
  expect(screen.getByRole<HTMLButtonElement>('button', SEND).disabled).toBe(false)
})
