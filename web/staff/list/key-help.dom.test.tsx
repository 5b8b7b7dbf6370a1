import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openScreen } from '../../testing/screen.tsx'

test('? opens the help with the keys of lists on every screen, and not while one types', async () => {
  const { user } = await openScreen('/admin-email', { 'GET /api/emails': [] })
  await screen.findByText('No emails yet')
  await user.keyboard('?')
  await screen.findByText('Keyboard shortcuts')
  screen.getByRole('region', { name: 'In lists' })
  screen.getByText('Set the status')
  const everywhere = within(screen.getByRole('region', { name: 'Everywhere' }))
  for (const key of ['F8', 'Enter', '?']) everywhere.getByText(key)
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByText('Keyboard shortcuts')).toBeNull())
  await user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox', { name: 'Go to' })
  await user.keyboard('?')
  expect(screen.queryByText('Keyboard shortcuts')).toBeNull()
})
