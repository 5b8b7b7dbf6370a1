import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { referenceOf } from '../../events/base/reference.ts'
import type { Lead } from '../../events/lead/lead.ts'
import { readLog } from '../../events/log/read.ts'
import { sampleWebsiteInfo } from '../../events/testing/fixtures/samples.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import type { TimelineEntry } from '../../events/timeline.ts'

/** Allows staff to write emails; no server accepts them. Requests name the address that they come from. */
const NODE_ENV = { SMTP_URL: 'smtp://127.0.0.1:1', TRUST_PROXY: '1' }

let people = 0

const send = (method: string, path: string, body?: unknown, headers: object = {}, node = nodes[0]) =>
  node.call(path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...owner, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const submit = async (fields: object = {}, headers: object = {}): Promise<Lead> => {
  people += 1
  const person = { name: `Person ${people}`, email: `p${people}@example.com`, phone: `082 700 ${1000 + people}` }
  const response = await send('POST', '/api/leads', { ...person, leadSource: 'hero_form', ...fields }, headers)
  expect(response.status).toBe(201)
  return await response.json()
}

const merge = (staying: Lead, merged: Lead, takes: string[] = [], node = nodes[0]) =>
  send(
    'POST',
    `/api/leads/${staying.id}/merge`,
    { mergedId: merged.id, mergedVersion: merged.version, takes },
    { 'if-match': `"${staying.version}"` },
    node,
  )

const read = async ({ id }: Lead): Promise<Lead> => (await send('GET', `/api/leads/${id}`)).json()
const personOf = async ({ id }: Lead): Promise<{ leads: Lead[]; timeline: TimelineEntry[] }> =>
  (await send('GET', `/api/leads/${id}/person`)).json()
const listed = async (q: string): Promise<string[]> =>
  (await (await send('GET', `/api/leads?q=${encodeURIComponent(q)}`)).json()).map(({ id }: Lead) => id)
const waiting = async (): Promise<string[]> =>
  (await (await send('GET', '/api/leads/waiting')).json()).newest.map(({ id }: Lead) => id)
/** All replies that can still be read. */
const readAnswers = async () => {
  const events = await readLog(sql, 0, 10_000)
  return events.flatMap((event) =>
    event.type === 'LeadEmailWritten' || event.type === 'LeadContacted' ? [{ to: event.personal?.to ?? null }] : [],
  )
}
/** Waits until a contract’s email has been taken, which raises its version. */
const taken = (lead: Lead) =>
  eventually(async () => {
    const now = await read(lead)
    expect(now.emailStatus).toBe('outbox')
    return now
  })
const inView = (lead: Lead) => eventually(async () => expect(await listed(lead.email)).toEqual([lead.id]))
const mergeOf = async (lead: Lead) => (await personOf(lead)).timeline.find(({ kind }) => kind === 'merged')

const { nodes, sql } = await startProduct({ nodes: 2, nodeEnv: NODE_ENV })
const owner = await signIn(nodes[0])

describe('two leads of one person', () => {
  let ana: Lead
  let other: Lead

  beforeEach(async () => {
    ana = await submit()
    other = await submit({ company: 'Nkosi Bakery' })
    await Promise.all([inView(ana), inView(other)])
  })

  test('become one: the other leaves lists and counts, its address leads on, and its history shows', async () => {
    await send('POST', `/api/leads/${other.id}/notes`, { note: 'Asked for a shop' })
    await send('PATCH', `/api/leads/${other.id}`, { followUpStatus: 'quoted', projectValue: 5_000 })
    other = await read(other)
    const response = await merge(ana, other, ['company', 'phone', 'followUpStatus', 'projectValue'])
    expect(response.status).toBe(200)
    const shown: Lead = await response.json()
    expect(shown).toMatchObject({
      id: ana.id,
      name: ana.name,
      company: 'Nkosi Bakery',
      phone: other.phone,
      phoneLinks: other.phoneLinks,
      followUpStatus: 'quoted',
      projectValue: 5_000,
    })
    // a repeated request has no further effect
    expect((await merge(ana, other, ['company'])).status).toBe(200)
    expect(await read(other)).toMatchObject({ mergedInto: ana.id, phone: other.phone })
    await eventually(async () => {
      expect(await listed(other.email)).toEqual([ana.id])
      expect(await read(ana)).toEqual(shown)
    })
    const exported = await (await send('GET', '/api/leads/export?format=csv')).text()
    expect(exported).not.toContain(other.email)
    const { leads, timeline } = await personOf(ana)
    expect(leads.map(({ id }) => id).sort()).toEqual([ana.id, other.id].sort())
    expect(timeline.map(({ kind, leadId }) => [kind, leadId === other.id])).toEqual(
      expect.arrayContaining([
        ['note', true],
        ['follow_up', true],
        ['merged', true],
        ['follow_up', false],
      ]),
    )
    const history = await (await send('GET', `/api/leads/${other.id}/history`)).json()
    expect(history.at(-1)).toMatchObject({ type: 'LeadsMerged', by: 'thandi', actor: { type: 'staff' } })
  })

  test('wait for one reply, and are one in the pipeline', async () => {
    const stages = async () => (await (await send('GET', '/api/leads/stages')).json())[0].leads
    await eventually(async () => expect(await waiting()).toEqual(expect.arrayContaining([ana.id, other.id])))
    const before = await stages()
    await merge(ana, other)
    await eventually(async () =>
      expect([await waiting(), await stages()]).toEqual([expect.not.arrayContaining([other.id]), before - 1]),
    )
    expect(await waiting()).toContain(ana.id)
  })

  test('are two again when it is undone, each as before', async () => {
    await send('PATCH', `/api/leads/${other.id}`, { followUpStatus: 'quoted' })
    other = await read(other)
    await merge(ana, other, ['name', 'followUpStatus'])
    await eventually(async () => expect(await listed(other.email)).toEqual([ana.id]))
    expect(await read(ana)).toMatchObject({ name: other.name, followUpStatus: 'quoted' })
    const entry = await mergeOf(ana)
    expect(entry).toMatchObject({ isUndoable: true, isUndone: false, by: 'thandi', leadId: other.id })
    for (let time = 0; time < 2; time += 1) {
      const undone = await send('POST', `/api/leads/${other.id}/undo`, { eventId: entry?.id })
      expect([undone.status, (await undone.json()).mergedInto]).toEqual([200, undefined])
    }
    await eventually(async () => {
      expect(await listed(other.email)).toEqual([other.id])
      expect(await listed(ana.email)).toEqual([ana.id])
      expect(await read(ana)).toMatchObject({ name: ana.name, followUpStatus: 'new', answeredAt: null })
    })
    expect(await read(other)).toMatchObject({ name: other.name, followUpStatus: 'quoted' })
    // and may be merged the other way round
    expect((await merge(await read(other), await read(ana))).status).toBe(200)
  })

  test('are merged by one of two concurrent callers', async () => {
    const third = await submit()
    await inView(third)
    const answers = await Promise.all([
      merge(ana, other, [], nodes[0]),
      merge(other, ana, [], nodes[1]),
      merge(third, other, [], nodes[1]),
      merge(third, ana, [], nodes[0]),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(statuses).toContain(200)
    const all = await Promise.all([ana, other, third].map(read))
    const into = new Map(all.map(({ id, mergedInto }) => [id, mergedInto]))
    expect([...into.values()].filter(Boolean)).toHaveLength(statuses.filter((status) => status === 200).length)
    for (const { id } of all) {
      const seen = new Set<string>()
      for (let at: string | undefined = id; at; at = into.get(at)) {
        expect(seen.has(at)).toBe(false)
        seen.add(at)
      }
    }
  })

  test('are reviewed again if a colleague has changed one since then, and an erased lead is not changed', async () => {
    await send('PATCH', `/api/leads/${other.id}`, { followUpStatus: 'contacted' })
    const late = await merge(ana, other)
    expect([late.status, (await late.json()).detail]).toEqual([
      409,
      'Another person has changed one of these leads: review both, then merge them',
    ])
    expect((await merge(ana, await read(other))).status).toBe(200)
    const refused = await Promise.all([
      send('PATCH', `/api/leads/${other.id}`, { followUpStatus: 'won' }),
      send('POST', `/api/leads/${other.id}/notes`, { note: 'Late' }),
      send('POST', `/api/leads/${other.id}/contacts`, { channel: 'call', text: null }),
      merge(await submit(), await read(other)),
    ])
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409])
    expect(await refused[0]?.json()).toMatchObject({
      detail: 'This lead was merged into another one: open that one',
      mergedInto: ana.id,
    })
    expect((await send('PATCH', `/api/leads/${ana.id}`, { followUpStatus: 'won' })).status).toBe(200)
  })

  test('are merged or changed, never both, if both are requested at once', async () => {
    const [merged, changed] = await Promise.all([
      merge(ana, other, [], nodes[0]),
      send('PATCH', `/api/leads/${other.id}`, { followUpStatus: 'quoted' }, {}, nodes[1]),
    ])
    expect([merged.status, changed.status].sort()).toEqual([200, 409])
    const now = await read(other)
    expect([now.mergedInto === ana.id, now.followUpStatus]).toEqual(
      merged.status === 200 ? [true, 'new'] : [false, 'quoted'],
    )
  })

  test('are erased together, from whichever side', async () => {
    await merge(ana, other)
    await eventually(async () => expect(await listed(other.email)).toEqual([ana.id]))
    const shown = await (await send('GET', `/api/leads/${other.id}/erase`)).json()
    expect(shown.leads.map(({ id }: Lead) => id).sort()).toEqual([ana.id, other.id].sort())
    await send('POST', `/api/leads/${other.id}/erase`, { asOf: shown.asOf })
    await eventually(async () => {
      for (const lead of [ana, other]) expect((await read(lead)).name).toBe('Erased')
      expect(await listed(other.email)).toEqual([])
    })
    expect((await merge(await submit(), await read(ana))).status).toBe(409)
  })

  test('are found by the remaining lead’s own address if it is erased without a list, not by one that it shows', async () => {
    const [same, others] = [await submit({ email: ana.email }), await submit({ email: other.email })]
    await eventually(async () => {
      expect(await listed(ana.email)).toContain(same.id)
      expect(await listed(other.email)).toContain(others.id)
    })
    await merge(ana, other, ['email'])
    await eventually(async () => expect((await read(ana)).email).toBe(other.email))
    await send('POST', `/api/leads/${ana.id}/erase`, {})
    await eventually(async () => {
      for (const lead of [ana, other, same]) expect((await read(lead)).name).toBe('Erased')
    })
    expect((await read(others)).name).toBe(others.name)
  })

  test('keep each reply with the person it went to: it is erased with them, and not with the other', async () => {
    await merge(ana, other, ['email', 'phone'])
    await eventually(async () => expect(await read(ana)).toMatchObject({ email: other.email, phone: other.phone }))
    const email = { subject: 'Your website', text: 'Written to the other address' }
    expect((await send('POST', `/api/leads/${ana.id}/emails`, email, { 'idempotency-key': 'once' })).status).toBe(201)
    const call = { channel: 'whatsapp', text: 'Written to the other number' }
    expect((await send('POST', `/api/leads/${ana.id}/contacts`, call)).status).toBe(201)
    expect(JSON.stringify(await personOf(ana))).toMatch(/other address.*other number/)
    expect((await read(ana)).followUpStatus).toBe('contacted')
    const before = await readAnswers()
    const merged = await mergeOf(ana)
    await send('POST', `/api/leads/${other.id}/undo`, { eventId: merged?.id })
    await eventually(async () => expect((await read(ana)).email).toBe(ana.email))
    // a repeated request, whose response got lost
    expect((await send('POST', `/api/leads/${ana.id}/emails`, email, { 'idempotency-key': 'once' })).status).toBe(201)
    expect(await readAnswers()).toHaveLength(before.length)
    await send('POST', `/api/leads/${other.id}/erase`, {})
    await eventually(async () => {
      const answers = (await readAnswers()).filter(({ to }) => to !== null)
      expect(answers.filter(({ to }) => to === other.email || to === other.phone)).toEqual([])
    })
    expect((await read(ana)).name).toBe(ana.name)
  })

  test('are erased only if the owner has seen both', async () => {
    const shown = await (await send('GET', `/api/leads/${ana.id}/erase`)).json()
    expect(shown.leads).toHaveLength(1)
    await merge(ana, other)
    await eventually(async () => expect(await listed(other.email)).toEqual([ana.id]))
    const refused = await send('POST', `/api/leads/${ana.id}/erase`, { asOf: shown.asOf })
    expect([refused.status, (await refused.json()).leads.length]).toEqual([409, 2])
  })
})

describe('the questionnaire of a signed contract', () => {
  type Contract = Lead & { contractCopy: string }
  let contract: Contract

  /** Each from an address of its own: few contracts from one count as a person's. */
  const sign = (fields: object = {}) =>
    submit(
      { leadSource: 'contract_premium', businessName: 'Nkosi Bakery', agreedToTerms: true, ...fields },
      { 'x-forwarded-for': `203.0.113.${people % 256}` },
    ) as Promise<Contract>
  const fill = async (fields: object = {}, { key = randomUUID(), node = nodes[0] } = {}): Promise<Lead> => {
    people += 1
    const form = sampleWebsiteInfo({ businessName: `Business ${people}`, email: `b${people}@example.com` })
    const sent = { ...form, phoneNumber: `082 800 ${1000 + people}`, ...fields }
    const response = await send('POST', '/api/submit-website-info', sent, { 'idempotency-key': key }, node)
    const { success, leadId, ...rest } = await response.json()
    expect([response.status, success, rest]).toEqual([201, true, {}])
    return await (await send('GET', `/api/leads/${leadId}`)).json()
  }
  const follows = async (fields: object = {}) => (await fill(fields)).mergedInto ?? 'none'
  const change = (lead: Lead, followUp: object) => send('PATCH', `/api/leads/${lead.id}`, followUp)

  beforeEach(async () => {
    contract = await sign()
    await inView(contract)
  })

  test('is part of its lead from the first moment, by the private link, and is one of its own once it is unmerged', async () => {
    const answers = await fill({ contractCopy: contract.contractCopy })
    expect(answers).toMatchObject({ mergedInto: contract.id, leadSource: 'Website Info Form' })
    await eventually(async () => expect(await listed(answers.email)).toEqual([contract.id]))
    expect(await waiting()).toContain(contract.id)
    expect(await waiting()).not.toContain(answers.id)
    const exported = await (await send('GET', '/api/leads/export?format=csv')).text()
    expect(exported).not.toContain(answers.email)
    const { leads, timeline } = await personOf(contract)
    expect(leads.find(({ id }) => id === answers.id)?.answers).toMatchObject({ businessDescription: 'We bake bread.' })
    const entry = timeline.find(({ kind }) => kind === 'questionnaire')
    expect(entry).toMatchObject({ leadId: answers.id, isUndoable: true })
    for (let time = 0; time < 2; time += 1)
      expect((await send('POST', `/api/leads/${answers.id}/undo`, { eventId: entry?.id })).status).toBe(200)
    await eventually(async () => {
      expect(await listed(answers.email)).toEqual([answers.id])
      expect(await waiting()).toContain(answers.id)
    })
    expect((await personOf(answers)).timeline.find(({ kind }) => kind === 'questionnaire')?.isUndoable).toBe(false)
  })

  test('is found by the same address and number, however they are written, and by no one of the two', async () => {
    const email = contract.email.toUpperCase()
    const phoneNumber = contract.phone.replace('0', '+27 ')
    expect(await follows({ email, phoneNumber })).toBe(contract.id)
    expect(await follows({ email })).toBe('none')
    expect(await follows({ phoneNumber })).toBe('none')
    const quote = await submit()
    await inView(quote)
    expect(await follows({ email: quote.email, phoneNumber: quote.phone })).toBe('none')
    // of two the newest, unless the reference names the other; a reference alone leads to none
    const second = await sign({ email: contract.email, phone: contract.phone })
    await eventually(async () => expect(await listed(second.email)).toContain(second.id))
    const contractReference = referenceOf(contract.id)
    expect(await follows({ email, phoneNumber })).toBe(second.id)
    expect(await follows({ email, phoneNumber, contractReference })).toBe(contract.id)
    // from another device, with another number or address
    expect(await follows({ email, contractReference })).toBe(contract.id)
    expect(await follows({ phoneNumber, contractReference })).toBe(contract.id)
    const ofOther = referenceOf((await sign()).id)
    expect(await follows({ email, contractReference: ofOther })).toBe('none')
    for (const reference of [contractReference, contract.id, { id: contract.id }])
      expect(await follows({ contractReference: reference })).toBe('none')
  })

  test('follows no contract by a link that its client did not get', async () => {
    const other = await sign()
    const key = new URL(other.contractCopy, 'http://localhost').searchParams.get('key')
    for (const forged of [
      `/api/contracts/${contract.id}/copy?key=${key}`,
      `/api/contracts/${contract.id}/copy?key=`,
      `/api/contracts/${randomUUID()}/copy?key=${key}`,
      `${contract.contractCopy}x`,
      contract.id,
      { id: contract.id },
      'x'.repeat(2_000),
    ])
      expect(await follows({ contractCopy: forged })).toBe('none')
  })

  test('is a lead of its own if the contract is lost, spam or erased, and for a won one without the link', async () => {
    const { email, phone: phoneNumber, contractCopy } = contract
    await change(contract, { followUpStatus: 'won' })
    expect(await follows({ email, phoneNumber })).toBe('none')
    expect(await follows({ contractCopy })).toBe(contract.id)
    await change(contract, { followUpStatus: 'lost' })
    expect(await follows({ contractCopy, email, phoneNumber })).toBe('none')
    const spam = await sign()
    await inView(spam)
    await send('POST', `/api/leads/${spam.id}/flag`, {})
    expect(await follows({ contractCopy: spam.contractCopy, email: spam.email, phoneNumber: spam.phone })).toBe('none')
    const gone = await sign()
    await inView(gone)
    await send('POST', `/api/leads/${gone.id}/erase`, { contracts: 'erase' })
    expect(await follows({ contractCopy: gone.contractCopy, email: gone.email, phoneNumber: gone.phone })).toBe('none')
  })

  test('is stored once per key, also if the contract changes at the same time, and again if it is sent again', async () => {
    const { contractCopy, email, phone: phoneNumber } = contract
    const same = { contractCopy, email, phoneNumber, businessName: 'Nkosi Bakery' }
    const key = randomUUID()
    const [one, two, , ,] = await Promise.all([
      fill(same, { key }),
      fill(same, { key, node: nodes[1] }),
      change(contract, { nextActionDate: '2027-01-05' }),
      send('POST', `/api/leads/${contract.id}/notes`, { note: 'Called' }),
    ])
    expect([one.id, one.mergedInto]).toEqual([two.id, contract.id])
    // the same request later, when the contract no longer takes it
    await change(contract, { followUpStatus: 'lost' })
    expect(await fill(same, { key })).toMatchObject({ id: one.id, mergedInto: contract.id })
    await change(contract, { followUpStatus: 'contacted' })
    const again = await fill({ ...same, businessDescription: 'We bake cakes.' })
    expect(again.mergedInto).toBe(contract.id)
    expect(again.id).not.toBe(one.id)
    await eventually(async () => expect((await personOf(contract)).leads).toHaveLength(3))
  })

  test('goes along with a contract that was merged, and is erased with both', async () => {
    const ana = await submit()
    await inView(ana)
    expect((await merge(ana, await taken(contract))).status).toBe(200)
    const answers = await fill({ contractCopy: contract.contractCopy })
    expect(answers.mergedInto).toBe(contract.id)
    await eventually(async () => expect(await listed(answers.email)).toEqual([ana.id]))
    const shown = await (await send('GET', `/api/leads/${ana.id}/erase`)).json()
    expect(shown.leads.map(({ id }: Lead) => id).sort()).toEqual([ana.id, contract.id, answers.id].sort())
    await send('POST', `/api/leads/${ana.id}/erase`, { asOf: shown.asOf, contracts: 'erase' })
    await eventually(async () => {
      for (const lead of [ana, contract, answers]) expect((await read(lead)).name).toBe('Erased')
      expect(await read(answers)).not.toHaveProperty('answers')
    })
  })

  test('waits in quarantine if it is flagged, for staff to merge', async () => {
    const flagged = await fill({ contractCopy: contract.contractCopy, quartz: 'https://spam.example' })
    expect(flagged).toMatchObject({ suspicion: ['trap'] })
    expect(flagged.mergedInto).toBeUndefined()
  })
})

test('contracts of both stay in the timeline', async () => {
  const signed = { leadSource: 'contract_premium', businessName: 'Shop', agreedToTerms: true }
  const [first, second] = [await submit(signed), await submit({ ...signed, leadSource: 'contract_essential' })]
  await Promise.all([inView(first), inView(second)])
  expect((await merge(await taken(first), await taken(second))).status).toBe(200)
  await eventually(async () => expect(await listed(second.email)).toEqual([first.id]))
  const { timeline } = await personOf(first)
  expect(timeline.filter(({ kind }) => kind === 'contract')).toHaveLength(2)
})

test('leads that cannot be merged are refused with a sentence', async () => {
  const [one, two] = [await submit(), await submit()]
  expect((await merge(one, one)).status).toBe(422)
  expect((await merge(one, { ...two, id: randomUUID() })).status).toBe(404)
  expect((await merge(one, two, ['message'])).status).toBe(422)
  const blind = await send('POST', `/api/leads/${one.id}/merge`, { mergedId: two.id, mergedVersion: 1, takes: [] })
  expect(blind.status).toBe(428)
  const spam = await submit({ quartz: 'https://spam.example' })
  const flagged = await merge(one, spam)
  expect([flagged.status, (await flagged.json()).detail]).toEqual([
    409,
    'One of the leads is in quarantine: mark it as not spam first',
  ])
})
