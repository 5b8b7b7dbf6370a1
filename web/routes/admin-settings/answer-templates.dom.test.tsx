import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { SWRConfig } from 'swr'
import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../events/settings/settings.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { QUIET, THANDI } from '../../testing/answers.ts'
import { answerRequests, requestsOf, type Sent } from '../../testing/server.ts'
import { ANSWER_TEMPLATES } from './answer-templates.tsx'

const settings = DEFAULT_SETTINGS as unknown as Settings

test('Templates are added and removed, each needs a name, and the rest is saved', async () => {
  answerRequests({
    ...QUIET,
    'PUT /api/settings/answer-templates': ({ body }: Sent) => ({
      ...DEFAULT_SETTINGS,
      version: 1,
      answerTemplates: body,
    }),
  })
  render(
    <SWRConfig value={{ dedupingInterval: 0 }}>
      <ANSWER_TEMPLATES.Form settings={settings} accountId={THANDI.id} />
    </SWRConfig>,
  )
  const user = userEvent.setup({ document })
  const form = within(screen.getByRole('form', { name: 'Answer templates' }))
  const press = (name: string) => user.click(form.getByRole('button', { name }))
  const fill = async (label: RegExp, words: string) => {
    await user.clear(form.getByLabelText(label))
    await user.paste(words)
  }
  await press('Add a template')
  await press('Save answer templates')
  await form.findByText('A name is required')
  await press('Remove template 3')
  await press('Remove template 2')
  await fill(/^Name/, 'Short')
  await fill(/^Subject/, 'About {business}')
  await press('Save answer templates')
  await form.findByText('Saved')
  expect(requestsOf('PUT /api/settings/answer-templates').map(({ body }) => body)).toMatchObject([
    { emails: [{ name: 'Short', subject: 'About {business}' }], whatsapp: DEFAULT_SETTINGS.answerTemplates.whatsapp },
  ])
})

test('An agent sees the templates read-only', () => {
  render(<ANSWER_TEMPLATES.Shown settings={settings} />)
  screen.getByText('First answer: Your request to {agency}, reference {reference}')
})
