import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../events/settings/settings.ts'
import { openScreen } from '../../testing/screen.tsx'
import { requestsOf, type Sent } from '../../testing/server.ts'

const TEXT = 'Questions about Premium? We answer in minutes.'
const SAVE = 'PUT /api/settings/chat-greetings'

beforeEach(() => {
  Element.prototype.scrollTo = () => {}
})

test('An owner sets greetings by page, which are checked', async () => {
  const { user } = await openScreen('/admin-settings/chat-greetings', {
    [SAVE]: ({ body }: Sent) => ({
      ...DEFAULT_SETTINGS,
      version: 1,
      chatGreetings: (body as { greetings: object }).greetings,
    }),
  })
  const form = within(await screen.findByRole('form', { name: 'Chat greetings' }))
  const add = () => user.click(form.getByRole('button', { name: 'Add a greeting' }))
  const save = () => user.click(form.getByRole('button', { name: 'Save chat greetings' }))
  const last = (label: string) => form.getAllByLabelText(label).at(-1) as HTMLElement
  await add()
  await user.clear(last('After seconds'))
  await user.type(last('After seconds'), 'soon')
  await save()
  for (const problem of ['Choose a page', 'Enter whole seconds from 0 to 600', 'Write a message'])
    await form.findByText(problem)
  await user.selectOptions(last('Page'), 'Premium')
  await user.clear(last('After seconds'))
  await user.type(last('After seconds'), '0')
  await user.type(last('Message'), TEXT)
  await user.click(last('Outside support hours too'))
  await add()
  await user.selectOptions(last('Page'), 'Premium')
  await user.type(last('Message'), 'Twice')
  await save()
  await form.findByText('A page can have one message')
  expect(requestsOf(SAVE)).toEqual([])
  fireEvent.click(form.getByRole('button', { name: 'Remove greeting 2' }))
  await waitFor(() => expect(form.getAllByLabelText('Page')).toHaveLength(1))
  await save()
  await form.findByText('Saved')
  await waitFor(() =>
    expect(requestsOf(SAVE).map(({ body }) => body)).toEqual([
      { greetings: [{ page: '/contract/premium', afterSeconds: 0, text: TEXT, isAnyTime: true }] },
    ]),
  )
})
