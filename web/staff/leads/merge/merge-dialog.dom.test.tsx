import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Lead } from '../../../../events/lead/wire.ts'
import { THANDI } from '../../../testing/answers.ts'
import { ayanda, entryOf, idOf, leadApi, openLead } from '../../../testing/lead-api.ts'
import { type Answer, problem, requestsOf } from '../../../testing/server.ts'

const CONTRACT = { leadSource: 'contract_premium', package: 'Premium - R1,499 + R499/month', agreedToTerms: true }

const later = (minutes: number) => new Date(Date.now() - 3_600_000 + minutes * 60_000).toISOString()

/** Opens the first of two leads of one person, and the question how to merge them. */
const merging = async (own: Partial<Lead>, other: Partial<Lead>, answers: Record<string, Answer> = {}) => {
  const api = leadApi(ayanda({ name: 'Ana First', timestamp: later(0), ...own }), {
    leads: [ayanda({ id: idOf(2), name: 'Ana Again', timestamp: later(10), ...other })],
    timeline: [entryOf('lead')],
  })
  const shown = await openLead(api, {
    'POST /api/leads/*/merge': () =>
      new Response(JSON.stringify({ ...api.lead, version: 2 }), { headers: { 'event-id': 'merged' } }),
    ...answers,
  })
  await shown.user.click(await screen.findByRole('button', { name: /^Merge with/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge two leads' }))
  await dialog.findByRole('group', { name: 'Which one stays?' })
  const group = (name: string) => within(dialog.getByRole('group', { name }))
  const checked = (name: string) =>
    group(name)
      .getAllByRole<HTMLInputElement>('radio')
      .filter((radio) => radio.checked)
      .map((radio) => radio.labels?.[0]?.textContent)
  const merge = () => shown.user.click(dialog.getByRole('button', { name: 'Merge' }))
  return { ...shown, api, dialog, group, checked, merge }
}
const merged = (id = idOf(1)) => requestsOf(`POST /api/leads/${id}/merge`)

test('The older lead stays, with the values of both, and the toast undoes the merge', async () => {
  const { user, api, checked, merge } = await merging(
    { businessName: null, package: null },
    { name: 'Anna Botha-Nel', businessName: null, package: null, company: 'Nkosi Bakery' },
  )
  expect(checked('Which one stays?')[0]).toMatch(/^Ana First/)
  expect([checked('Name'), checked('Company')]).toEqual([['Ana First'], ['Nkosi Bakery']])
  await merge()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(merged().map(({ body, headers }) => [body, headers.get('if-match')])).toEqual([
    [{ mergedId: idOf(2), mergedVersion: 1, takes: ['company'] }, '"1"'],
  ])
  await screen.findByText(/^Merged/)
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByText('Undone')
  expect(requestsOf(`POST /api/leads/${idOf(2)}/undo`)[0]?.body).toEqual({ eventId: 'merged' })
  expect(api.lead.id).toBe(idOf(1))
})

test('If a colleague has changed one of the leads, both are shown in their current state, to be merged by keys alone', async () => {
  let isStale = true
  const { user, api, dialog, group, checked, merge } = await merging(
    {},
    { name: 'Anna Botha-Nel' },
    {
      'POST /api/leads/*/merge': () => {
        if (!isStale) return { ...api.lead, version: 2 }
        isStale = false
        api.others = api.others.map((lead) => ({ ...lead, followUpStatus: 'quoted', version: 2 }))
        return problem(409, { isChanged: true })
      },
    },
  )
  await merge()
  await dialog.findByText('One of these leads has changed. Check the current values, then merge.')
  expect(checked('Status')).toEqual(['Quoted'])
  group('Name').getByRole('radio', { name: 'Ana First' }).focus()
  await user.keyboard('{ArrowRight}')
  expect(checked('Name')).toEqual(['Anna Botha-Nel'])
  dialog.getByRole('button', { name: 'Merge' }).focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(merged().at(-1)?.body).toEqual({ mergedId: idOf(2), mergedVersion: 2, takes: ['name', 'followUpStatus'] })
})

test('A signed contract is marked and stays, or the dialog shows where to find it', async () => {
  const { user, dialog, group, checked } = await merging({ name: 'Fay Quote' }, { name: 'Fay Signed', ...CONTRACT })
  const told = () => dialog.queryByText('The contract will be found under "Merged into this lead".')
  expect(checked('Which one stays?')[0]).toMatch(/^Fay Signed/)
  expect(group('Which one stays?').getAllByText('Contract signed')).toHaveLength(1)
  expect(told()).toBeNull()
  await user.click(group('Which one stays?').getByRole('radio', { name: /^Fay Quote/ }))
  expect(told()).toBeTruthy()
})

test('Of two signed contracts the newer one stays', async () => {
  const { checked } = await merging(CONTRACT, { name: 'Fay Again', ...CONTRACT })
  expect(checked('Which one stays?')[0]).toMatch(/^Fay Again/)
})

test('The merged lead shows the latest request', async () => {
  const { checked, merge } = await merging(
    { package: 'essential', timeline: 'asap' },
    { package: 'professional', timeline: null },
  )
  expect([checked('Name'), checked('Package'), checked('Timeline')]).toEqual([
    ['Ana First'],
    ['Professional'],
    ['As soon as possible'],
  ])
  await merge()
  await waitFor(() => expect(merged()[0]?.body).toMatchObject({ takes: ['package'] }))
})

test('Signed values offer no choice', async () => {
  const { dialog, merge } = await merging(CONTRACT, { name: 'Hal Again', package: 'essential' })
  expect(dialog.queryByRole('group', { name: 'Package' })).toBeNull()
  await merge()
  await waitFor(() => expect(merged()[0]?.body).toMatchObject({ takes: [] }))
})

test('One number written in two ways offers no choice, and the messages distinguish the leads', async () => {
  const { dialog } = await merging(
    { email: 'f1@isaacs.example', phone: '082 555 1212', message: 'The older words' },
    { email: 'f2@isaacs.example', phone: '0825551212', message: 'The newer words' },
  )
  for (const words of ['The older words', 'The newer words']) dialog.getByText(words)
  expect(dialog.queryByRole('group', { name: 'Phone' })).toBeNull()
  expect(dialog.queryByText(/in common/)).toBeNull()
})

test('A lead erased during the choice is reported, and nothing can be merged then', async () => {
  const { api, dialog, merge } = await merging(
    {},
    {},
    {
      'POST /api/leads/*/merge': () => {
        api.others = api.others.map((lead) => ({ ...lead, name: 'Erased', email: '', phone: '', version: 2 }))
        return problem(409, { isChanged: true })
      },
    },
  )
  await merge()
  await dialog.findByText('One of these people has been erased: there is nothing to merge.')
  expect(dialog.queryByRole('button', { name: 'Merge' })).toBeNull()
})

test('The screen of a merged lead leads to the one that stays', async () => {
  const api = leadApi(ayanda(), { leads: [ayanda({ id: idOf(2), name: 'Stays Here' })], timeline: [] })
  const shown = await openLead(api)
  await screen.findByRole('heading', { level: 1, name: /^Ayanda Cele/ })
  api.change({ mergedInto: idOf(2) } as Partial<Lead>, 'merged')
  await waitFor(() => expect(shown.address()).toBe(`/admin-lead?id=${idOf(2)}`))
})

const listed = (leads: () => readonly Lead[]) => ({
  'GET /api/leads': () => leads(),
  'GET /api/leads/summary': () => ({ total: leads().length, days: [] }),
})
const rows = async (api: ReturnType<typeof leadApi>, more: Record<string, Answer> = {}) => {
  const shown = await openLead(api, {
    'GET /api/me': { ...THANDI, leadsLayout: 'list' },
    ...listed(() => [api.lead, ...api.others].filter(({ mergedInto }) => !mergedInto)),
    ...more,
  })
  await shown.go('/admin-dashboard?period=all')
  const box = (name: string) => screen.findByRole('checkbox', { name: new RegExp(`^Select .*${name}`) })
  const button = () =>
    within(screen.getByRole('group', { name: 'Selected leads' })).queryByRole('button', { name: 'Merge' })
  return { ...shown, box, button }
}

test('Exactly two leads of the dense list can be merged; two that share nothing need confirmation, and take no values of each other', async () => {
  const alone = (number: number, name: string, company: string | null) =>
    ayanda({
      id: idOf(number),
      name,
      email: `${number}@example.com`,
      phone: `082 700 200${number}`,
      company,
      businessName: null,
    })
  const api = leadApi(alone(1, 'Riaan Smit', null), {
    leads: [alone(2, 'Priya Naidoo', 'Naidoo Sweets'), alone(3, 'Carl Three', null)],
    timeline: [],
  })
  const { user, box, button } = await rows(api, {
    'POST /api/leads/*/merge': () => new Response(JSON.stringify(api.lead), { headers: { 'event-id': 'merged' } }),
  })
  await user.click(await box('Riaan Smit'))
  expect(button()).toBeNull()
  await user.click(await box('Priya Naidoo'))
  await user.click(await box('Carl Three'))
  expect(button()).toBeNull()
  await user.click(await box('Carl Three'))
  await user.click(button() ?? expect.fail('There is nothing to merge'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge two leads' }))
  await dialog.findByText('These two show no email address or phone number in common. Are they one person?')
  const company = within(dialog.getByRole('group', { name: 'Company' }))
  const { checked } = company.getByRole<HTMLInputElement>('radio', { name: 'None' })
  // whichever of the two stays, its own value remains
  const staying = dialog.getAllByRole<HTMLInputElement>('radio').find((radio) => radio.checked)?.value
  expect(checked).toBe(staying === idOf(1))
  await user.click(dialog.getByRole('button', { name: 'Merge' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(merged(staying)[0]?.body).toMatchObject({ takes: [] })
  await screen.findByText(/^Merged/)
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByText('Undone')
})

test('The preview of a lead shows its person’s other leads with their owners, and the messages of merged ones, live', async () => {
  const leads = [
    ayanda({ id: idOf(2), name: 'Kim Again', message: 'What does hosting cost?' }),
    ayanda({ id: idOf(3), name: 'Kim Other', ownerId: '5f20dc71-c74c-4452-bd74-8f7c12a03af7' }),
  ]
  const timeline = [entryOf('lead', { leadId: idOf(2) })]
  const api = leadApi(ayanda({ name: 'Kim First', message: 'Can you build a shop?' }), { leads, timeline })
  const { user } = await rows(api)
  await user.click(await screen.findByRole('button', { name: /Kim First/ }))
  const preview = within(await screen.findByRole('complementary'))
  preview.getByText('Can you build a shop?')
  const related = within(await preview.findByRole('region', { name: 'Related leads' }))
  const told = related.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(told).toEqual([expect.stringMatching(/Kim Again.*Unassigned/), expect.stringMatching(/Kim Other.*Sipho/)])
  api.others = leads.map((lead) => (lead.id === idOf(2) ? { ...lead, mergedInto: idOf(1) } : lead))
  api.tell({ ...api.lead, hasMerged: true })
  api.tell(api.others[0])
  const merged = within(await preview.findByRole('region', { name: 'Merged into this lead' }))
  merged.getByText('Kim Again', { selector: 'dd' })
  const entry = preview.getByText('Of the merged lead Kim Again').closest('li') ?? expect.fail()
  within(entry).getByText('What does hosting cost?')
})

test('The preview shows that the person of a lead could not be loaded', async () => {
  const api = leadApi(ayanda({ name: 'Kim First' }))
  const { user } = await rows(api, { 'GET /api/leads/*/person': problem(500) })
  await user.click(await screen.findByRole('button', { name: /Kim First/ }))
  await screen.findByText('Error loading the timeline')
})

test('A merge shows at once in an open list, although no version changes', async () => {
  const gone = ayanda({ id: idOf(2), name: 'Carl Two', email: 'carl@two.example' })
  const api = leadApi(ayanda({ name: 'Carl One', email: 'carl@one.example' }), { leads: [gone], timeline: [] })
  const shown = await openLead(
    api,
    listed(() => [api.lead, ...api.others].filter(({ mergedInto }) => !mergedInto)),
  )
  await shown.go('/admin-dashboard?period=all')
  await screen.findByText('carl@one.example')
  api.lead = { ...api.lead, email: 'carl@two.example' }
  api.others = [{ ...gone, mergedInto: idOf(1) }]
  api.tell()
  api.tell(api.others[0])
  await waitFor(() => expect(screen.queryByText('carl@one.example')).toBeNull())
  await waitFor(() => expect(screen.queryByText('Carl Two')).toBeNull())
  screen.getByText('carl@two.example')
})

test('The preview of a questionnaire shows its answers and not its prompt, and copies the address alone', async () => {
  const answers = { businessDescription: 'We bake bread.', businessGoals: 'More orders' }
  const lead = ayanda({ name: 'Nkosi Bakery', leadSource: 'Website Info Form', message: 'You are an expert', answers })
  const { user } = await rows(leadApi(lead))
  await user.click(await screen.findByRole('button', { name: /Nkosi Bakery/ }))
  const preview = within(await screen.findByRole('complementary', { name: /^Preview: / }))
  preview.getByText('More orders')
  expect(screen.queryByText(/You are an expert/)).toBeNull()
  await user.click(preview.getByRole('button', { name: 'Copy the email address' }))
  await screen.findByText('Email address copied')
  expect(await navigator.clipboard.readText()).toBe('ayanda@example.com')
})

test('A lead marked as spam with its preview open leaves the list', async () => {
  const api = leadApi(ayanda({ name: 'Seo Wizard', businessName: null }))
  let isFlagged = false
  const { user } = await rows(api, {
    ...listed(() => (isFlagged ? [] : [api.lead])),
    'POST /api/leads/*/flag': () => {
      isFlagged = true
      return new Response(null, { status: 204, headers: { 'event-id': 'flagged' } })
    },
  })
  await user.click(await screen.findByRole('button', { name: /Seo Wizard/ }))
  const preview = within(await screen.findByRole('complementary', { name: 'Preview: Seo Wizard' }))
  preview.getByText('1 of 1')
  await user.keyboard('#')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
})
