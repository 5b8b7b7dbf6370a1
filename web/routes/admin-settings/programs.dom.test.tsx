// API tokens and webhooks: access for other programs, and events sent to them.
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { agencyDay } from '../../../events/base/agency-day.ts'
import type { ApiToken } from '../../../events/staff/api-token-wire.ts'
import type { Webhook } from '../../../events/webhook/wire.ts'
import { THANDI } from '../../testing/answers.ts'
import { fill, valueIn } from '../../testing/fields.ts'
import { openPart, openScreen } from '../../testing/screen.tsx'
import { type Answer, problem, requestsOf, type Sent } from '../../testing/server.ts'
import { button, testToken, testWebhook } from '../../testing/settings-screen.tsx'
import { Tokens } from './tokens.tsx'
import { Webhooks } from './webhooks.tsx'

const SECRET = 'whsec_c2VjcmV0'
const HOST = 'books.example'

const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const listed = async (list: string) => within(await screen.findByLabelText(list))

const openTokens = async (answers: Record<string, Answer> = {}, known: ApiToken[] = []) => {
  let tokens = known
  const opened = openPart(<Tokens />, {
    'GET /api/tokens': () => tokens,
    'POST /api/tokens': ({ body }: Sent) => {
      const made = testToken(body as Partial<ApiToken>)
      tokens = [made, ...tokens]
      return { id: made.id, token: 'agency_abc12345_rest' }
    },
    'DELETE /api/tokens/*': ({ path }: Sent) => {
      tokens = tokens.filter(({ id }) => !path.endsWith(id))
    },
    ...answers,
  })
  await screen.findByText('Make a token')
  return opened
}

const openWebhooks = async (answers: Record<string, Answer>) => {
  const opened = openPart(<Webhooks />, answers)
  await screen.findByText('Add a webhook')
  return opened
}

/** A server that stores webhooks. */
const webhooksServer = (known: Webhook[] = []) => {
  let webhooks = known
  return {
    'GET /api/webhooks': () => webhooks,
    'POST /api/webhooks': ({ body }: Sent) => {
      const made = testWebhook(body as Partial<Webhook>)
      if (made.url.includes('192.168'))
        return problem(422, { errors: [{ path: 'url', message: 'Must be an HTTPS address on the internet' }] })
      webhooks = [made]
      return { id: made.id, secret: SECRET }
    },
    'PATCH /api/webhooks/*': ({ body }: Sent) => {
      webhooks = webhooks.map((one) => ({
        ...one,
        isFailed: false,
        isPausedByRestore: false,
        ...(body as Partial<Webhook>),
      }))
    },
    'POST /api/webhooks/*/secret': { secret: 'whsec_another' },
    'POST /api/webhooks/*/test': { deliveryId: 'one' },
    'DELETE /api/webhooks/*': () => {
      webhooks = []
    },
  } satisfies Record<string, Answer>
}

test('A token is checked, made and shown once', async () => {
  const { user } = await openTokens()
  await screen.findByText('No tokens yet.')
  await user.click(screen.getByRole('button', { name: 'Make a token' }))
  const form = await dialog('Make a token')
  await user.click(button(form, 'Make token'))
  await form.findByText('Name is required')
  await form.findByText('Choose what the token may do')
  fill(form.getByLabelText('Name'), 'Bookkeeping')
  await user.click(form.getByLabelText('Read and export leads'))
  fill(form.getByLabelText('Last day'), '2020-01-01')
  await form.findByText('Choose today or a later day')
  const today = agencyDay(new Date())
  fill(form.getByLabelText('Last day'), today)
  await user.click(button(form, 'Make token'))
  const made = await dialog('Your new token')
  expect(valueIn(made.getByLabelText('Token'))).toBe('agency_abc12345_rest')
  expect(requestsOf('POST /api/tokens')[0]?.body).toMatchObject({ name: 'Bookkeeping', scopes: ['leads:read'] })
  await user.click(button(made, 'Done'))
  const row = await listed('API tokens')
  row.getByText('Bookkeeping')
  row.getByText('Read and export leads')
  row.getByText('agency_abc12345…')
  expect(screen.queryByDisplayValue('agency_abc12345_rest')).toBeNull()
})

test('A token is revoked after a question that names it', async () => {
  const { user } = await openTokens({}, [testToken()])
  await user.click(await screen.findByRole('button', { name: 'Revoke Bookkeeping' }))
  await user.click(button(await dialog('Revoke Bookkeeping?'), 'Cancel'))
  expect(requestsOf(`DELETE /api/tokens/${testToken().id}`)).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Revoke Bookkeeping' }))
  await user.click(button(await dialog('Revoke Bookkeeping?'), 'Revoke token'))
  await screen.findByText('No tokens yet.')
})

test('An outdated list reports that the token no longer exists', async () => {
  const gone = problem(404, { title: 'Not found', detail: 'There is no token with this id' })
  const { user } = await openTokens({ 'DELETE /api/tokens/*': gone }, [testToken()])
  await user.click(await screen.findByRole('button', { name: 'Revoke Bookkeeping' }))
  const question = await dialog('Revoke Bookkeeping?')
  await user.click(button(question, 'Revoke token'))
  await question.findByText('There is no token with this id.')
})

test('An expired token is shown as such, and whether the restore of a backup ended it', async () => {
  const over = { expiresAt: '2026-01-06T22:00:00.000Z' }
  await openTokens({}, [
    testToken({ ...over, isEndedByRestore: true }),
    testToken({ ...over, id: 'other', name: 'Website' }),
  ])
  const rows = (await listed('API tokens')).getAllByRole('listitem')
  const [restored, expired] = rows.map((row) => within(row))
  restored?.getByText('Ended')
  restored?.getByText(/^A backup was restored, so this token ended\./)
  expired?.getByText('Expired')
  expect(expired?.queryByText(/backup/)).toBeNull()
})

test('A webhook is checked, added, and its secret shown once', async () => {
  const { user } = await openWebhooks(webhooksServer())
  screen.getByText('No webhooks yet.')
  await user.click(screen.getByRole('button', { name: 'Add a webhook' }))
  const form = await dialog('Add a webhook')
  await user.click(button(form, 'Add webhook'))
  await form.findByText('Address is required')
  await form.findByText('Choose the events that it receives')
  fill(form.getByLabelText('Address'), 'https://192.168.1.1/hook')
  await user.click(form.getByLabelText('Lead created'))
  await user.click(form.getByLabelText('Lead won'))
  await user.click(button(form, 'Add webhook'))
  await form.findByText('Must be an HTTPS address on the internet')
  fill(form.getByLabelText('Address'), `https://${HOST}/hook`)
  await user.click(button(form, 'Add webhook'))
  const made = await dialog('The webhook’s secret')
  expect(valueIn(made.getByLabelText('Secret'))).toBe(SECRET)
  await user.click(button(made, 'Done'))
  ;(await listed('Webhooks')).getByText('Lead created, Lead won')
  expect(screen.queryByDisplayValue(SECRET)).toBeNull()
})

test('A webhook is tested, paused and resumed, and shows its waiting events', async () => {
  const { user } = await openWebhooks(webhooksServer([testWebhook({ waiting: 1 })]))
  const row = await listed('Webhooks')
  row.getByText(/1 waits/)
  expect(row.getByRole('link', { name: 'See the log' }).getAttribute('href')).toBe(
    `/admin-webhooks?webhook=${testWebhook().id}`,
  )
  await user.click(button(row, `Send test to ${HOST}`))
  await screen.findAllByText('Test on its way')
  await user.click(button(row, `Pause ${HOST}`))
  await row.findByText('Paused')
  await user.click(button(row, `Resume ${HOST}`))
  await waitFor(() => expect(row.queryByText('Paused')).toBeNull())
  expect(requestsOf(`PATCH /api/webhooks/${testWebhook().id}`).map(({ body }) => body)).toEqual([
    { isPaused: true },
    { isPaused: false },
  ])
})

test('A webhook gets a new secret after a question, and the secret is shown once', async () => {
  const { user } = await openWebhooks(webhooksServer([testWebhook()]))
  await user.click(await screen.findByRole('button', { name: `New secret for ${HOST}` }))
  await user.click(button(await dialog(`New secret for ${HOST}?`), 'Make secret'))
  const made = await dialog('The webhook’s secret')
  expect(valueIn(made.getByLabelText('Secret'))).toBe('whsec_another')
  await user.click(button(made, 'Done'))
  expect(screen.queryByDisplayValue('whsec_another')).toBeNull()
})

test('A webhook is edited, and removed after a question that names it', async () => {
  const { user } = await openWebhooks(webhooksServer([testWebhook()]))
  const row = await listed('Webhooks')
  await user.click(button(row, `Edit ${HOST}`))
  const form = await dialog('Edit the webhook')
  fill(form.getByLabelText('Address'), 'https://moved.example/hook')
  await user.click(form.getByLabelText('Chat started'))
  await user.click(button(form, 'Save'))
  await row.findByText('Lead created, Lead won, Chat started')
  await user.click(button(row, 'Remove moved.example'))
  await user.click(button(await dialog('Remove moved.example?'), 'Remove webhook'))
  await screen.findByText('No webhooks yet.')
})

test('An outdated list of webhooks reports that one no longer exists', async () => {
  const { user } = await openWebhooks({
    ...webhooksServer([testWebhook()]),
    'PATCH /api/webhooks/*': problem(404, { detail: 'There is no webhook with this id' }),
  })
  await user.click(await screen.findByRole('button', { name: `Pause ${HOST}` }))
  await screen.findAllByText('There is no webhook with this id.')
})

test('A webhook that a restored backup paused shows so in its row, until it is resumed', async () => {
  const { user } = await openWebhooks(webhooksServer([testWebhook({ isPaused: true, isPausedByRestore: true })]))
  const row = await listed('Webhooks')
  row.getByText(/^A backup was restored, so this webhook was paused\./)
  await user.click(button(row, `Resume ${HOST}`))
  await waitFor(() => expect(row.queryByText(/A backup was restored/)).toBeNull())
})

test('A failed webhook shows to owners on every screen, with a link to it', async () => {
  const paused = testWebhook({ isPaused: true, isFailed: true })
  await openScreen('/admin-email', { 'GET /api/emails': [], 'GET /api/webhooks': [paused] })
  await screen.findByText(`The webhook to ${HOST} is paused`)
  screen.getByText(/^It was paused because it took nothing for a day\./)
  expect(screen.getByText('Look at webhooks').getAttribute('href')).toBe('/admin-settings/webhooks')
})

test('Every screen shows owners that a restored backup paused a webhook', async () => {
  const paused = testWebhook({ isPaused: true, isPausedByRestore: true })
  await openScreen('/admin-email', { 'GET /api/emails': [], 'GET /api/webhooks': [paused] })
  await screen.findByText(/^It was paused because a backup was restored\./)
})

test('An agent sees no paused webhook, and requests none', async () => {
  await openScreen('/admin-email', { 'GET /api/me': { ...THANDI, role: 'agent' }, 'GET /api/emails': [] })
  await screen.findByText('No emails yet')
  expect(screen.queryByText(/is paused/)).toBeNull()
  expect(requestsOf('GET /api/webhooks')).toEqual([])
})
