import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useMe } from '../../staff/account/account.ts'
import { nameForCustomers } from '../../staff/account/own-name.ts'
import { THANDI } from '../../testing/answers.ts'
import { openPart } from '../../testing/screen.tsx'
import { NamePrompt } from './name-prompt.tsx'

const NAMELESS = { ...THANDI, displayName: THANDI.username }
const WORDS = 'Add your name: customers now see "Support Team".'

const Me = () => <p>Signed in as {useMe().data?.displayName}</p>

/** Opens the part above Today, once it is known who is signed in. */
const open = async (me: typeof THANDI | typeof NAMELESS) => {
  const opened = openPart(
    <main id="content" tabIndex={-1}>
      <Me />
      <NamePrompt />
    </main>,
    { 'GET /api/me': me },
  )
  await screen.findByText(`Signed in as ${me.displayName}`)
  return opened
}

test('A staff member with only a username is asked for a name until they dismiss it', async () => {
  const { user, close } = await open(NAMELESS)
  await screen.findByText(WORDS)
  expect(screen.getByText('Add it').getAttribute('href')).toBe('/admin-account')
  await user.click(screen.getByText('Not now'))
  expect(screen.queryByRole('complementary', { name: 'Your name' })).toBeNull()
  expect(document.activeElement?.id).toBe('content')
  close()
  await open(NAMELESS)
  expect(screen.queryByText(WORDS)).toBeNull()
})

test('A staff member with a name is not asked', async () => {
  await open(THANDI)
  expect(screen.queryByRole('complementary', { name: 'Your name' })).toBeNull()
})

test('Customers see the team’s name for a staff member without one', () => {
  expect([NAMELESS, THANDI].map(nameForCustomers)).toEqual(['Support Team', 'Thandi'])
})
