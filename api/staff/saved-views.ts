import type { Sent } from '../../events/base/word.ts'
import { MAX_SAVED_VIEWS, savedViewForm, savedViewName } from '../../events/staff/saved-view.ts'
import { savedViews } from '../../events/staff/wire.ts'
import { inTransaction, type Sql } from '../../events/stores/connection.ts'
import { invalidField, RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'

const listViews = (sql: Sql, staffId: string) =>
  sql<Sent<typeof savedViews>>`select id, name, query from staff_views where staff_id = ${staffId} order by lower(name)`

const nothingThere = () => new RequestError('not_found', 'There is no view with this id')
const nameTaken = () => invalidField('name', 'You already have a view with this name')

/** Stores a view, if there are not too many: two concurrent calls run one after the other. */
const addView = (sql: Sql, staffId: string, { name, query }: { name: string; query: string }) =>
  inTransaction(sql, async (tx) => {
    const [account] = await tx`select 1 from staff where id = ${staffId} and removed_at is null for update`
    if (!account) throw new RequestError('not_signed_in', 'Sign in at /login first')
    const [{ count } = { count: 0 }] = await tx<{ count: number }[]>`
      select count(*)::integer as count from staff_views where staff_id = ${staffId}`
    if (count >= MAX_SAVED_VIEWS) throw invalidField('name', `You have ${MAX_SAVED_VIEWS} views: remove one first`)
    const added = await tx`
      insert into staff_views (staff_id, name, query) values (${staffId}, ${name}, ${query})
      on conflict do nothing returning 1`
    if (added.length === 0) throw nameTaken()
  })

/** Renames a view. Returns whether it exists. */
const renameView = async (sql: Sql, staffId: string, { id, name }: { id: string; name: string }) => {
  const [other] = await sql`
    select 1 from staff_views where staff_id = ${staffId} and lower(name) = lower(${name}) and id <> ${id}`
  if (other) throw nameTaken()
  const renamed =
    await sql`update staff_views set name = ${name} where id = ${id} and staff_id = ${staffId} returning 1`
  return renamed.length > 0
}

/** Lists of leads that a staff member has named. Each call returns all of them. */
export const savedViewRoutes = [
  route('GET', '/api/me/views', {
    access: 'staff',
    summary: 'One’s own views of leads',
    answer: savedViews,
    handler: ({ node, c }) => listViews(node.sql, c.get('staff').id),
  }),
  route('POST', '/api/me/views', {
    access: 'staff',
    summary: 'Saves a view',
    body: savedViewForm,
    answer: savedViews,
    status: 201,
    mayConflict: true,
    handler: async ({ node: { sql }, c, body }) => {
      const { id: staffId } = c.get('staff')
      await addView(sql, staffId, body)
      return await listViews(sql, staffId)
    },
  }),
  route('PATCH', '/api/me/views/:id', {
    access: 'staff',
    summary: 'Renames a view',
    body: savedViewName,
    answer: savedViews,
    mayConflict: true,
    handler: async ({ node: { sql }, c, params: { id }, body: { name } }) => {
      const { id: staffId } = c.get('staff')
      if (!(await renameView(sql, staffId, { id, name }))) throw nothingThere()
      return await listViews(sql, staffId)
    },
  }),
  route('DELETE', '/api/me/views/:id', {
    access: 'staff',
    summary: 'Removes a view',
    answer: savedViews,
    handler: async ({ node: { sql }, c, params: { id } }) => {
      const { id: staffId } = c.get('staff')
      await sql`delete from staff_views where id = ${id} and staff_id = ${staffId}`
      return await listViews(sql, staffId)
    },
  }),
]
