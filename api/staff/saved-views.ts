import { Hono } from 'hono'
import { inTransaction, type Sql } from '../../events/log/connection.ts'
import { MAX_SAVED_VIEWS, savedViewForm, savedViewName } from '../../events/saved-view.ts'
import type { savedViews } from '../../events/wire/staff.ts'
import type { Sent } from '../../events/wire/word.ts'
import { readBody } from '../body.ts'
import { invalidField, RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { requireStaff, type StaffEnv } from './staff.ts'

const listViews = (sql: Sql, staffId: string) =>
  sql<Sent<typeof savedViews>>`select id, name, query from staff_views where staff_id = ${staffId} order by lower(name)`

const nothingThere = () => new RequestError('not_found', 'You have no such view')
const nameTaken = () => invalidField('name', 'You have a view of this name')

/** Keeps a view, while there are not too many: two at once take turns. */
const addView = (sql: Sql, staffId: string, { name, query }: { name: string; query: string }) =>
  inTransaction(sql, async (tx) => {
    const [standing] = await tx`select 1 from staff where id = ${staffId} and removed_at is null for update`
    if (!standing) throw new RequestError('not_signed_in', 'Sign in at /login first')
    const [{ count } = { count: 0 }] = await tx<{ count: number }[]>`
      select count(*)::integer as count from staff_views where staff_id = ${staffId}`
    if (count >= MAX_SAVED_VIEWS) throw invalidField('name', `You have ${MAX_SAVED_VIEWS} views: remove one first`)
    const added = await tx`
      insert into staff_views (staff_id, name, query) values (${staffId}, ${name}, ${query})
      on conflict do nothing returning 1`
    if (added.length === 0) throw nameTaken()
  })

/** Renames a view; returns whether it is there. */
const renameView = async (sql: Sql, staffId: string, { id, name }: { id: string; name: string }) => {
  const [other] = await sql`
    select 1 from staff_views where staff_id = ${staffId} and lower(name) = lower(${name}) and id <> ${id}`
  if (other) throw nameTaken()
  const renamed =
    await sql`update staff_views set name = ${name} where id = ${id} and staff_id = ${staffId} returning 1`
  return renamed.length > 0
}

/** `/api/me/views`: lists of leads that somebody has named for themselves. Each call answers all of them. */
export const savedViewRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>()
    .use(requireStaff(node))
    .get('/', async (c) => c.json(await listViews(node.sql, c.get('staff').id)))
    .post('/', async (c) => {
      const { id: staffId } = c.get('staff')
      await addView(node.sql, staffId, await readBody(c, savedViewForm))
      return c.json(await listViews(node.sql, staffId), 201)
    })
    .patch('/:id', async (c) => {
      const { id: staffId } = c.get('staff')
      const id = c.req.param('id')
      if (!(await renameView(node.sql, staffId, { id, ...(await readBody(c, savedViewName)) }))) throw nothingThere()
      return c.json(await listViews(node.sql, staffId))
    })
    .delete('/:id', async (c) => {
      const { id: staffId } = c.get('staff')
      await node.sql`delete from staff_views where id = ${c.req.param('id')} and staff_id = ${staffId}`
      return c.json(await listViews(node.sql, staffId))
    })
