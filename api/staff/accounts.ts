import { Hono } from 'hono'
import * as v from 'valibot'
import { type Account, accountChange, accountForm } from '../../events/staff.ts'
import { readBody } from '../body.ts'
import { invalidField, RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { addStaff, changeAccount, LastOwnerError, listAccounts, removeAccount } from './account.ts'
import { tellSessionsEnded } from './session.ts'
import { requireOwner, requireStaff, type StaffEnv } from './staff.ts'

const nothingThere = () => new RequestError('not_found', 'There is no account with this id')

const accountId = (id: string) => {
  if (v.is(v.pipe(v.string(), v.uuid()), id)) return id
  throw nothingThere()
}

/** Tells a change or removal of an account to all nodes: its sessions may have ended. */
const told = async (node: ApiNode, work: Promise<boolean>) => {
  try {
    if (!(await work)) throw nothingThere()
  } catch (error) {
    if (error instanceof LastOwnerError) throw new RequestError('last_owner', error.message, { cause: error })
    throw error
  }
  await tellSessionsEnded(node.bus)
}

/** `/api/accounts`: owners list, add, change and remove the staff's accounts. One owner always stays. */
export const accountRoutes = (node: ApiNode) => {
  const account = async (id: string): Promise<Account | undefined> =>
    (await listAccounts(node.sql)).find((each) => each.id === id)
  return new Hono<StaffEnv>()
    .use(requireStaff(node), requireOwner)
    .get('/', async (c) => c.json((await listAccounts(node.sql)) satisfies Account[]))
    .post('/', async (c) => {
      const id = await addStaff(node.sql, await readBody(c, accountForm))
      if (id === undefined) throw invalidField('username', 'This username is taken')
      return c.json(await account(id), 201)
    })
    .patch('/:id', async (c) => {
      const id = accountId(c.req.param('id'))
      const { tokenHash } = c.get('staff')
      await told(node, changeAccount(node.sql, id, await readBody(c, accountChange), tokenHash))
      return c.json(await account(id))
    })
    .delete('/:id', async (c) => {
      await told(node, removeAccount(node.sql, accountId(c.req.param('id'))))
      return c.body(null, 204)
    })
}
