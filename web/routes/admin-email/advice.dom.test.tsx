import { screen } from '@testing-library/react'
import { test } from 'vitest'
import type { ListedEmail } from '../../../events/email/wire.ts'
import { openScreen } from '../../testing/screen.tsx'

const now = new Date().toISOString()

const refused: ListedEmail = {
  id: 'a',
  subject: 'Your request',
  person: 'Ayanda Cele',
  recipient: 'visitor',
  to: ['ayanda@example.com'],
  fields: [],
  isErased: false,
  about: { leadId: '20000000-0000-4000-8000-000000000001' },
  state: 'rejected',
  isStuck: false,
  isUnderWay: false,
  attempts: 1,
  tries: [],
  dueAt: now,
  askedAt: now,
  createdAt: now,
}

test('An email that the visitor’s address refused shows whose address that is, and what helps', async () => {
  await openScreen('/admin-email', { 'GET /api/emails': [refused] })
  await screen.findByText(/"Send again" uses the same address: where that is wrong, correct it on the lead/)
  screen.getAllByText('ayanda@example.com')
  screen.getByRole('button', { name: /^Send again/ })
})
