import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openScreen } from '../../testing/screen.tsx'

test('an empty list says so', async () => {
  await openScreen('/admin-email', { 'GET /api/emails': [] })
  await screen.findByText('No emails yet')
  await screen.findByText('Emails appear here once a contract is signed.')
})

test('an empty state says which', async () => {
  await openScreen('/admin-email?state=blocked', { 'GET /api/emails': [] })
  await screen.findByText('No emails: blocked')
  expect(screen.getByRole('link', { name: 'Today' })).toBeTruthy()
})
