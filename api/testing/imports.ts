import { expect } from 'vitest'
import type { ImportPreview, LeadImport } from '../../events/lead/import/import-wire.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'

/** A machine under load takes its time for thousands of rows. */
const WAIT_MS = 110_000
const PASSWORD = 'the password of an account'

/** The columns of `fileOf`. */
export const MAPPING = { name: 0, email: 1, phone: 2, status: 3 }

export type Staff = { cookie: string }

/** A file of this many rows, whose people are named by `tag` and a number. */
export const fileOf = (tag: string, rows: number) =>
  `Name,Email,Phone,Status\n${Array.from({ length: rows }, (_, n) => `${tag} ${n},${tag}${n}@example.com,,New`).join('\n')}\n`

/** The product with an owner and two colleagues, and the calls by which they import files. */
export const startTestImports = async () => {
  const product = await startProduct({ nodes: 2 })
  const { nodes, sql } = product
  const owner = await signIn(nodes[0])
  const hire = async (username: string): Promise<Staff> => {
    await nodes[0].post('/api/accounts', { username, displayName: username, password: PASSWORD, role: 'agent' }, owner)
    const response = await nodes[0].post('/api/login', { username, password: PASSWORD })
    return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  const [ben, cleo] = [await hire('ben'), await hire('cleo')]

  const get = async (path: string, by = ben) => (await nodes[1].call(path, { headers: by })).json()
  const post = (path: string, body: object, by = ben, node = nodes[0]) => node.post(path, body, by)
  const upload = (content: string | Buffer, by = ben) =>
    nodes[0].call('/api/imports', {
      method: 'POST',
      body: new Uint8Array(Buffer.from(content)),
      headers: { ...by, 'content-type': 'text/csv' },
    })
  const received = async (content: string | Buffer, by = ben): Promise<ImportPreview> => {
    const response = await upload(content, by)
    expect(response.status).toBe(201)
    return await response.json()
  }
  const start = (id: string, { addsDuplicates = false, by = ben, mapping = MAPPING, node = nodes[0] } = {}) =>
    post(`/api/imports/${id}/start`, { mapping, addsDuplicates }, by, node)
  const reaches = (id: string, state: LeadImport['state']) =>
    eventually(async (): Promise<LeadImport> => {
      const found: LeadImport = await get(`/api/imports/${id}`)
      expect(found.state).toBe(state)
      return found
    }, WAIT_MS)
  const total = async (query: string): Promise<number> => (await get(`/api/leads/summary?${query}`)).total

  /** Begins a file twice at once, and undoes the import; returns how long the adding took, in milliseconds. */
  const importAndTakeBack = async (rows: number) => {
    const { id } = await received(fileOf('many', rows))
    const before = await total('source=import')
    const beganAt = performance.now()
    const begun = await Promise.all([start(id), start(id, { node: nodes[1] }), start(id)])
    expect(begun.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(await reaches(id, 'done')).toMatchObject({ added: rows, skipped: 0, refused: 0 })
    const tookMs = performance.now() - beganAt
    await eventually(async () => expect(await total('source=import')).toBe(before + rows), WAIT_MS)
    const [one] = await get('/api/leads?source=import&q=many%2077')
    await post(`/api/leads/${one?.id}/notes`, { note: 'A note since' })
    expect((await post(`/api/imports/${id}/undo`, {}, cleo)).status).toBe(403)
    const undone = await Promise.all([post(`/api/imports/${id}/undo`, {}), post(`/api/imports/${id}/undo`, {}, owner)])
    expect(undone.map(({ status }) => status)).toEqual([202, 202])
    await reaches(id, 'undone')
    await eventually(async () => expect(await total('source=import')).toBe(before), WAIT_MS)
    expect((await nodes[0].call(`/api/leads/${one?.id}`, { headers: ben })).status).toBe(404)
    await eventually(async () => {
      const [left] =
        await sql`select count(*)::integer as count from subject_keys where subject_id = ${one?.id ?? ''} and wrapped is not null`
      expect(left).toEqual({ count: 0 })
    }, WAIT_MS)
    await eventually(async () => {
      const { sources } = await get('/api/overview?days=1')
      expect(sources.find(({ source }: { source: string }) => source === 'import')?.leads ?? 0).toBe(before)
    }, WAIT_MS)
    return tookMs
  }

  return { ...product, owner, ben, cleo, get, post, upload, received, start, reaches, total, importAndTakeBack }
}
