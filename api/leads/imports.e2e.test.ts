import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ImportCheck } from '../../events/lead/import/import-wire.ts'
import type { Lead } from '../../events/lead/lead.ts'
import { removeOldImportFiles } from '../../events/lead/store/imports.ts'
import { eventually } from '../../events/testing/node.ts'
import { fileOf, MAPPING, type Staff, startTestImports } from '../testing/imports.ts'

const { nodes, sql, owner, ben, cleo, get, post, upload, received, start, reaches, total, importAndTakeBack } =
  await startTestImports()

/** The file of the rows that an import has left out, without its UTF-8 byte order mark. */
const leftOutFile = async (id: string) => {
  const response = await nodes[0].call(`/api/imports/${id}/left-out.csv`, { headers: ben })
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="rows-left-out.csv"')
  return await response.text()
}

/** An import that is finished and visible in all views, with two of its leads. */
const imported = async (tag: string, rows: number) => {
  const { id } = await received(fileOf(tag, rows))
  await start(id)
  await reaches(id, 'done')
  await eventually(async () => expect(await total(`q=${tag}`)).toBe(rows))
  const [one, other]: Lead[] = await get(`/api/leads?source=import&q=${tag}`)
  if (!one || !other) throw new Error('The import has added fewer than two leads')
  return { id, one, other }
}

const merge = (staying: Lead, merged: Lead, by: Staff) =>
  nodes[0].call(`/api/leads/${staying.id}/merge`, {
    method: 'POST',
    headers: { ...by, 'content-type': 'application/json', 'if-match': `"${staying.version}"` },
    body: JSON.stringify({ mergedId: merged.id, mergedVersion: merged.version, takes: [] }),
  })

/** Reads a stream until a text has come. */
const textUntil = async (response: Response, text: string) => {
  let read = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    read += part
    if (read.includes(text)) return
  }
  expect.fail(`the stream ended without ${text}`)
}

describe('an import', () => {
  test('shows the file’s content, finds duplicates in it and among the leads, and adds the others', async () => {
    await nodes[0].post('/api/leads', {
      name: 'Known Already',
      email: 'known@example.com',
      phone: '082 700 9999',
      leadSource: 'hero_form',
    })
    await eventually(async () => expect(await total('q=known%20already')).toBe(1))
    const file = Buffer.from(
      [
        'Name;Email;Phone;Status',
        'Zoë Naudé;zoe@example.com;;Quoted',
        'Twice;ZOE@example.com ;;',
        'Known;known@example.com;;',
        'By Number;;+27 82 700 9999;',
        'Nobody;n/a;;',
        '=1+1;formula@example.com;;won',
        'Slip;not-an-email;082 555 0178;',
        'Slip Again;not-an-email;082 555 0178;',
        '=HYPERLINK("x");;;',
      ].join('\r\n'),
      'latin1',
    )
    const preview = await received(file)
    expect(preview).toMatchObject({
      encoding: 'windows-1252',
      delimiter: ';',
      columns: ['Name', 'Email', 'Phone', 'Status'],
      total: 9,
      mapping: MAPPING,
    })
    expect(preview.rows[0]).toEqual(['Zoë Naudé', 'zoe@example.com', '', 'Quoted'])
    expect(preview.rowNumbers).toEqual([2, 3, 4, 5, 6])
    const checked: ImportCheck = await (
      await post(`/api/imports/${preview.id}/check`, { mapping: MAPPING }, ben, nodes[1])
    ).json()
    expect(checked).toEqual({
      fresh: 3,
      inFile: 2,
      known: 2,
      erased: 0,
      refused: 2,
      inFileRows: [3, 9],
      knownRows: [4, 5],
      problems: [6, 10].map((row) => ({ row, problem: 'No email address and no phone number that can be used' })),
      badEmails: { fresh: { count: 1, rows: [8] }, duplicates: { count: 1, rows: [9] } },
      badPhones: { fresh: { count: 0, rows: [] }, duplicates: { count: 0, rows: [] } },
      badDates: { fresh: { count: 0, rows: [] }, duplicates: { count: 0, rows: [] } },
      badTimes: { fresh: { count: 0, rows: [] }, duplicates: { count: 0, rows: [] } },
      newZeros: { fresh: { count: 0, rows: [] }, duplicates: { count: 0, rows: [] } },
      labels: {
        3: 'Twice',
        4: 'Known',
        5: 'By Number',
        6: 'Nobody',
        8: 'Slip',
        9: 'Slip Again',
        10: '=HYPERLINK("x")',
      },
    })
    expect(await total('source=import')).toBe(0)
    expect((await start(preview.id)).status).toBe(202)
    expect(await reaches(preview.id, 'done')).toMatchObject({
      done: 9,
      added: 3,
      skipped: 4,
      refused: 2,
      by: 'ben',
      leftOut: 6,
      hasLeftOutFile: true,
      incomplete: 1,
    })
    await eventually(async () => expect(await total('source=import')).toBe(3))
    const [slip]: Lead[] = await get('/api/leads?source=import&q=slip')
    expect(await get(`/api/imports/${preview.id}/incomplete`)).toEqual([{ row: 8, cells: ['email'], leadId: slip?.id }])
    expect(await get(`/api/imports/${preview.id}/incomplete?cursor=7`)).toEqual([])
    const [lead]: Lead[] = await get('/api/leads?source=import&q=zo%C3%AB')
    expect(lead).toMatchObject({ name: 'Zoë Naudé', followUpStatus: 'quoted', leadSource: 'import' })
    const { timeline } = await get(`/api/leads/${lead?.id}/person`)
    expect(timeline).toMatchObject([{ kind: 'imported', by: 'ben' }])
    expect(await get(`/api/imports/${preview.id}/left-out`)).toEqual([
      { row: 3, reason: 'in_file' },
      { row: 4, reason: 'known' },
      { row: 5, reason: 'known' },
      { row: 6, reason: 'unusable' },
      { row: 9, reason: 'in_file' },
      { row: 10, reason: 'unreachable' },
    ])
    expect(await get(`/api/imports/${preview.id}/left-out?limit=2&cursor=4`)).toMatchObject([{ row: 6 }, { row: 9 }])
    expect(await leftOutFile(preview.id)).toBe(
      [
        '"Row";"Left out because";"Name";"Email";"Phone";"Status"',
        '"3";"An earlier row has this address or number";"Twice";"ZOE@example.com";"";""',
        '"4";"A lead has this address or number already";"Known";"known@example.com";"";""',
        '"5";"A lead has this address or number already";"By Number";"";"=""+27 82 700 9999""";""',
        '"6";"No email address and no phone number that can be used";"Nobody";"n/a";"";""',
        '"9";"An earlier row has this address or number";"Slip Again";"not-an-email";"=""082 555 0178""";""',
        `"10";"No email address and no phone number";"'=HYPERLINK(""x"")";"";"";""`,
        '',
      ].join('\r\n'),
    )
    // the person of a lead that is erased later is not in the file either
    const known = (await get('/api/leads?q=known%20already'))[0].id
    expect((await post(`/api/leads/${known}/erase`, { leadIds: [known] }, owner)).status).toBeLessThan(300)
    await eventually(async () => expect(await leftOutFile(preview.id)).not.toContain('known@example.com'))
    await sql`update lead_imports set created_at = now() - interval '49 hours' where id = ${preview.id}`
    await removeOldImportFiles(sql)
    expect(await sql`select content from lead_imports where id = ${preview.id}`).toEqual([{ content: null }])
    expect(await get(`/api/imports/${preview.id}`)).toMatchObject({ leftOut: 6, hasLeftOutFile: false })
    const gone = await nodes[0].call(`/api/imports/${preview.id}/left-out.csv`, { headers: ben })
    expect(gone.status).toBe(404)
  })

  test('leaves no person in the file of left-out rows who was erased since then, in any cell', async () => {
    await nodes[0].post('/api/leads', {
      name: 'Gone Later',
      email: 'gone@example.com',
      phone: '082 700 8888',
      leadSource: 'hero_form',
    })
    await eventually(async () => expect(await total('q=gone%20later')).toBe(1))
    const rows = [
      '',
      ',,',
      'Two,Gone@example.com; gone2@example.com,',
      'Kept,kept1@example.com,082 555 0133',
      'By Phone,gone@example.com (work),082 555 0133',
      'Call 0027 (0)82 700-8888,n/a,',
      'Two Numbers,kept1@example.com,+27 82 700 8888 / 021 555 0144',
      'Stays,kept1@example.com,+27 82 700 8889',
    ]
    const { id } = await received(`Name,Email,Phone,Status\n${rows.join('\n')}\n`)
    await start(id)
    await reaches(id, 'done')
    const before = await leftOutFile(id)
    expect((await get(`/api/imports/${id}/left-out`))[0]).toEqual({ row: 4, reason: 'unusable' })
    expect(before).toContain('"4";"No email address and no phone number that can be used";"Two"')
    for (const name of ['Two', 'By Phone', 'Call', 'Two Numbers', 'Stays']) expect(before).toContain(`"${name}`)
    const gone = (await get('/api/leads?q=gone%20later'))[0].id
    expect((await post(`/api/leads/${gone}/erase`, { leadIds: [gone] }, owner)).status).toBeLessThan(300)
    await eventually(async () => expect(await total('q=gone%20later')).toBe(0))
    expect((await leftOutFile(id)).match(/"(?:Two|By|Call|Stays)[^"]*"/g)).toEqual(['"Stays"'])
    await post(`/api/imports/${id}/undo`, {})
    await reaches(id, 'undone')
    expect((await nodes[0].call(`/api/imports/${id}/left-out.csv`, { headers: ben })).status).toBe(404)
    await eventually(async () => expect(await total('q=Kept')).toBe(0))
  })

  test('lists the leads that it has added page by page, as they are now', async () => {
    const people = Array.from({ length: 8 }, (_, n) => `listed ${n},listed${n}@example.com,,New`)
    // two rows that are left out: their lines have no lead
    const rows = [...people.slice(0, 3), 'Twice,listed0@example.com,,', 'Nobody,,,', ...people.slice(3)]
    const { id } = await received(`Name,Email,Phone,Status\n${rows.join('\n')}\n`)
    const path = `/api/imports/${id}/leads`
    expect(await get(path)).toEqual([])
    await start(id)
    await reaches(id, 'done')
    await eventually(async () => expect(await total('q=listed')).toBe(8))
    const pages: Lead[][] = []
    for (let query: string | undefined = '?limit=3'; query; ) {
      const response = await nodes[1].call(path + query, { headers: ben })
      pages.push(await response.json())
      query = /leads(\?[^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    }
    expect(pages.map((page) => page.map(({ name }) => name))).toEqual([
      ['listed 0', 'listed 1', 'listed 2'],
      ['listed 3', 'listed 4', 'listed 5'],
      ['listed 6', 'listed 7'],
    ])
    const [[first, second, third] = []] = pages
    if (!first || !second || !third) throw new Error('There are no leads')
    expect((await merge(first, second, ben)).status).toBe(200)
    expect((await post(`/api/leads/${third.id}/erase`, { leadIds: [third.id] }, owner)).status).toBeLessThan(300)
    await eventually(async () =>
      expect(await get(`${path}?limit=3`)).toMatchObject([
        { id: first.id, hasMerged: true },
        { id: second.id, mergedInto: first.id },
        { id: third.id, name: 'Erased', email: '' },
      ]),
    )
    expect((await nodes[0].call(`${path}?limit=51`, { headers: ben })).status).toBe(422)
    expect((await nodes[0].call(path)).status).toBe(401)
    expect((await nodes[0].call(`/api/imports/${first.id}/leads`, { headers: ben })).status).toBe(404)
    expect((await post(`/api/imports/${id}/undo`, {}, owner)).status).toBe(202)
    await reaches(id, 'undone')
    await eventually(async () => expect(await get(path)).toEqual([]))
  })

  test('is begun twice at once, added once, and undone completely', async () => {
    await importAndTakeBack(80)
  })

  test('on which colleagues have worked, or that is a day old, can be undone by owners alone', async () => {
    const undo = (id: string, by = ben) => post(`/api/imports/${id}/undo`, {}, by)
    const ids: string[] = []
    for (const tag of ['worked', 'aged']) {
      const { id } = await received(fileOf(tag, 2))
      await start(id)
      await reaches(id, 'done')
      await eventually(async () => expect(await total(`q=${tag}`)).toBe(2))
      ids.push(id)
    }
    const [worked = '', aged = ''] = ids
    const [one]: Lead[] = await get('/api/leads?source=import&q=worked%201')
    await post(`/api/leads/${one?.id}/notes`, { note: 'Called them' }, cleo)
    await sql`update lead_imports set created_at = created_at - interval '25 hours' where id = ${aged}`
    const body = JSON.stringify({ followUpStatus: 'quoted' })
    const headers = { ...cleo, 'content-type': 'application/json' }
    expect((await nodes[0].call(`/api/leads/${one?.id}`, { method: 'PATCH', headers, body })).status).toBe(200)
    expect(await get(`/api/imports/${worked}/work`)).toEqual({ leads: 1, changed: 1, noted: 1, answered: 0, merged: 0 })
    expect(await get(`/api/imports/${aged}/work`)).toEqual({ leads: 0, changed: 0, noted: 0, answered: 0, merged: 0 })
    const refused = await undo(worked)
    expect([refused.status, (await undo(aged)).status]).toEqual([403, 403])
    expect((await refused.json()).detail).toContain('Colleagues have worked on these leads')
    const leaving = new AbortController()
    const stream = await nodes[1].call('/api/leads/stream', { headers: ben, signal: leaving.signal })
    expect((await undo(worked, owner)).status).toBe(202)
    await reaches(worked, 'undone')
    await textUntil(stream, 'event: withdrawn')
    leaving.abort()
  })

  test('whose person a colleague has tried to call can be undone by owners alone', async () => {
    const { id } = await received('Name,Email,Phone,Status\ntried,tried@example.com,082 700 7777,New\n')
    await start(id)
    await reaches(id, 'done')
    const lead = await eventually(async () => {
      const [found]: Lead[] = await get('/api/leads?source=import&q=tried')
      if (!found) throw new Error('The view has not got the lead yet')
      return found
    })
    const attempt = { channel: 'call', isReached: false }
    const tried = await post(`/api/leads/${lead.id}/contacts`, attempt, cleo)
    expect(tried.status).toBe(201)
    expect(await get(`/api/imports/${id}/work`)).toMatchObject({ leads: 1, noted: 1, answered: 0 })
    const reached = await post(`/api/leads/${lead.id}/contacts`, { channel: 'call' }, cleo)
    expect(await get(`/api/imports/${id}/work`)).toMatchObject({ leads: 1, noted: 1, answered: 1 })
    for (const [call, left] of [
      [reached, { leads: 1, noted: 1, answered: 0 }],
      [tried, { leads: 1, noted: 0, answered: 0 }],
    ] as const) {
      const undone = await post(`/api/leads/${lead.id}/undo`, { eventId: call.headers.get('event-id') }, cleo)
      expect(undone.status).toBe(200)
      expect(await get(`/api/imports/${id}/work`)).toMatchObject(left)
    }
    expect((await post(`/api/imports/${id}/undo`, {})).status).toBe(403)
    expect((await post(`/api/imports/${id}/undo`, {}, owner)).status).toBe(202)
    await reaches(id, 'undone')
  })

  test('whose person a colleague has answered can be undone by owners alone', async () => {
    const { id } = await received('Name,Email,Phone,Status\nreplied,replied@example.com,082 700 6161,New\n')
    await start(id)
    await reaches(id, 'done')
    const lead = await eventually(async () => {
      const [found]: Lead[] = await get('/api/leads?source=import&q=replied')
      return found ?? expect.fail('The view has not got the lead yet')
    })
    const ownerId = (await (await nodes[0].call('/api/me', { headers: ben })).json()).id
    const headers = { ...ben, 'content-type': 'application/json' }
    const body = JSON.stringify({ followUpStatus: 'contacted', ownerId })
    expect((await nodes[0].call(`/api/leads/${lead.id}`, { method: 'PATCH', headers, body })).status).toBe(200)
    expect((await post(`/api/leads/${lead.id}/contacts`, { channel: 'call' }, cleo)).status).toBe(201)
    expect((await post(`/api/imports/${id}/undo`, {})).status).toBe(403)
    expect((await post(`/api/imports/${id}/undo`, {}, owner)).status).toBe(202)
    await reaches(id, 'undone')
  })

  test('whose leads colleagues have merged into others can be undone by owners alone, after a warning', async () => {
    const leads = await imported('mergers', 2)
    const other = await nodes[0].post('/api/leads', {
      name: 'Staying Person',
      email: 'staying@example.com',
      phone: '082 700 8888',
      leadSource: 'hero_form',
    })
    expect((await merge(await other.json(), leads.one, cleo)).status).toBe(200)
    expect(await get(`/api/imports/${leads.id}/work`)).toEqual({
      leads: 1,
      changed: 0,
      noted: 0,
      answered: 0,
      merged: 1,
    })
    expect((await post(`/api/imports/${leads.id}/undo`, {})).status).toBe(403)
    expect((await post(`/api/imports/${leads.id}/undo`, {}, owner)).status).toBe(202)
    await reaches(leads.id, 'undone')
  })

  test('whose leads were merged with one another can be undone', async () => {
    const leads = await imported('among', 2)
    expect((await merge(leads.other, leads.one, ben)).status).toBe(200)
    await eventually(async () => expect(await total('q=among')).toBe(1))
    expect((await post(`/api/imports/${leads.id}/undo`, {})).status).toBe(202)
    await reaches(leads.id, 'undone')
    await eventually(async () => expect(await total('q=among')).toBe(0))
  })

  test('that is begun again continues as it was requested in the log', async () => {
    const { id } = await received(fileOf('again', 2))
    await start(id)
    await reaches(id, 'done')
    await sql`update lead_imports set state = 'uploaded', mapping = null where id = ${id}`
    await start(id, { addsDuplicates: true, by: cleo })
    // its file was deleted when it ended
    expect(await reaches(id, 'failed')).toMatchObject({ by: 'ben' })
    const [row] = await sql`select mapping, adds_duplicates as adds from lead_imports where id = ${id}`
    expect(row).toEqual({ mapping: MAPPING, adds: false })
  })

  test('is dropped when three newer files wait', async () => {
    const ids: string[] = []
    for (const tag of ['one', 'two', 'three', 'four']) ids.push((await received(fileOf(tag, 1), cleo)).id)
    const statuses = await Promise.all(
      ids.map(async (id) => (await nodes[1].call(`/api/imports/${id}`, { headers: cleo })).status),
    )
    expect(statuses).toEqual([404, 200, 200, 200])
  })

  test('adds duplicates on request', async () => {
    const { id } = await received('Name,Email\nOne,dup@example.com\nTwo,dup@example.com\n')
    await start(id, { addsDuplicates: true, mapping: { name: 0, email: 1 } as typeof MAPPING })
    expect(await reaches(id, 'done')).toMatchObject({ added: 2, skipped: 0 })
  })
})

describe('a file is refused with a sentence', () => {
  test.each([
    ['a workbook', Buffer.from('PK\u0003\u0004'), 422, 'Save it as CSV'],
    ['a header alone', 'Name,Email\n', 422, 'has no rows'],
    ['501 columns', `${'a,'.repeat(500)}b\n1,2\n`, 422, '500 columns'],
    ['50 MB', Buffer.alloc(50 * 1024 * 1024, 'a,b\n'), 413, 'may hold'],
  ])('%s', async (_, content, status, words) => {
    const response = await upload(content)
    expect(response.status).toBe(status)
    expect((await response.json()).detail).toContain(words)
  })

  test('while another one of the same account is being uploaded, and those of others are accepted', async () => {
    const begin = async () => {
      const headers = { ...owner, 'content-type': 'text/csv', 'content-length': '1000' }
      const begun = request(`${nodes[0].url}/api/imports`, { method: 'POST', headers }).on('error', () => {})
      onTestFinished(() => {
        begun.destroy()
      })
      begun.flushHeaders()
      const [response] = await once(begun, 'response')
      return await text(response)
    }
    expect(await Promise.race([begin(), begin()])).toContain('A file of yours is on its way already')
    expect((await upload(fileOf('beside', 1), cleo)).status).toBe(201)
  })

  test('and so is a mapping without a way to reach the person', async () => {
    const { id } = await received('Name,Email\nOne,one@example.com\n')
    const response = await start(id, { mapping: { name: 0 } as typeof MAPPING })
    expect(response.status).toBe(422)
    expect((await response.json()).errors).toMatchObject([
      { message: 'Say which column holds email addresses or phone numbers' },
    ])
  })

  test('one of 300 columns is read', async () => {
    const cells = Array.from({ length: 300 }, (_, index) => `c${index}`)
    expect((await received(`${cells.join(',')}\n${cells.join(',')}\n`)).columns).toEqual(cells)
  })
})
