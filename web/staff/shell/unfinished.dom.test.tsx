import { screen, waitFor, within } from '@testing-library/react'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { emptyChat } from '../../chat/console/console-state.ts'
import { clearStoredConsole, storeConsole } from '../../chat/console/stored-console.ts'
import { THANDI } from '../../testing/answers.ts'
import { textsOf } from '../../testing/fields.ts'
import { testLead } from '../../testing/lead.ts'
import { openScreen, pressInAccountMenu } from '../../testing/screen.tsx'
import { type Answer, problem, type Sent } from '../../testing/server.ts'
import { Draft } from '../drafts/drafts.tsx'

const idOf = (number: number) => `5b1f5f0e-1d60-4c3c-9d8c-5f0b9e0a1a0${number}`

const NAMES = ['Ben', 'Anna', 'Bea', 'Carl', 'Dora', 'Emil']

/** The leads whose ids end in the number of a name. */
const LEADS = {
  'GET /api/leads/*': ({ path }: Sent) =>
    testLead({ id: path.split('/').at(-1) ?? '', name: `${NAMES[Number(path.at(-1))]} Smith` }),
}

const keepNote = (number: number) => new Draft(THANDI.id, `lead-${idOf(number)}-note`, v.string()).store('Half a no')

/** Presses `Sign out`, and returns the items in the question before it. */
const askedOf = async (answers: Record<string, Answer>) => {
  const { user } = await openScreen('/admin-email', { 'GET /api/emails': [], ...answers })
  await screen.findByText('No emails yet')
  await pressInAccountMenu(user, 'Sign out')
  const question = within(await screen.findByRole('dialog', { name: 'Sign out without saving?' }))
  question.getByText('You have unfinished work. Only this device has it. If you sign out, it is deleted.')
  return { user, items: () => textsOf(question.getAllByRole('listitem')).toSorted() }
}

test('The question before signing out names three people with unfinished work, and stores no name on the device', async () => {
  for (const number of [1, 2, 3, 4, 5]) keepNote(number)
  const { items } = await askedOf(LEADS)
  const named = () => items().filter((item) => /^A note about \w+ Smith that was not saved$/.test(item ?? ''))
  await waitFor(() => expect(new Set(named()).size).toBe(3))
  expect(items()).toHaveLength(4)
  expect(items()).toContain('and 2 more')
  expect(JSON.stringify({ ...localStorage })).not.toContain('Smith')
})

test('Staying keeps the unfinished work', async () => {
  keepNote(1)
  const { user, items } = await askedOf(LEADS)
  await waitFor(() => expect(items()).toEqual(['A note about Anna Smith that was not saved']))
  await user.click(screen.getByText('Stay here'))
  expect(Object.keys(localStorage).filter((key) => key.startsWith('staff/'))).toHaveLength(1)
})

test('If leads and chats have no name, the question lists the unfinished work without it', async () => {
  keepNote(1)
  storeConsole(THANDI.id, {
    naledi: { ...emptyChat, draft: 'Yes, we' },
    zodwa: { ...emptyChat, draft: '   ', handoverNote: 'Half a no' },
  })
  const { items } = await askedOf({ 'GET /api/leads/*': problem(503), 'GET /api/chats/*': problem(503) })
  await waitFor(() =>
    expect(items()).toEqual([
      'A chat reply that was not sent',
      'A hand-over note that was not sent',
      'A note that was not saved',
    ]),
  )
  clearStoredConsole()
})
