import { type Context, Hono } from 'hono'
import {
  type Account,
  accountChange,
  accountForm,
  leavingOwner,
  type SignInRules,
  signInRulesForm,
} from '../../events/staff.ts'
import { readBody, validate } from '../body.ts'
import { invalidField, RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { acceptPassword } from './accepted-password.ts'
import { addStaff, changeAccount, LastOwnerError, listAccounts, removeAccount } from './account.ts'
import { expectConfirmed, requireConfirmed } from './confirmation.ts'
import { answerHistory } from './history.ts'
import { makePasswordLink } from './password-link.ts'
import { tellStaffChanged } from './profile.ts'
import { tellSessionsEnded } from './session.ts'
import { changeSignInRules, readSignInRules } from './sign-in-rules.ts'
import { requireOwner, requireStaff, type StaffEnv } from './staff.ts'
import { openTrail } from './trail.ts'
import { turnOff } from './two-factor.ts'
import { whereFrom } from './where-from.ts'

const nothingThere = () => new RequestError('not_found', 'There is no account with this id')

/**
 * What one's account screen asks the password for is not done without it from the list: a session may have been found
 * open.
 */
const expectAnothers = (c: Context<StaffEnv>, id: string) => {
  if (id === c.get('staff').id) throw new RequestError('conflict', 'Do this on your account screen')
  return id
}

/** Tells a change or removal of an account to all nodes: its sessions may have ended. */
const told = async (node: ApiNode, work: Promise<boolean>) => {
  try {
    if (!(await work)) throw nothingThere()
  } catch (error) {
    if (error instanceof LastOwnerError) throw new RequestError('last_owner', error.message, { cause: error })
    throw error
  }
  await Promise.all([tellSessionsEnded(node.bus), tellStaffChanged(node.bus)])
}

/**
 * `/api/accounts`: owners list, add, change and remove the staff's accounts, and read what has happened with them. One
 * owner always stays.
 */
export const accountRoutes = (node: ApiNode) => {
  const account = async (id: string): Promise<Account | undefined> =>
    (await listAccounts(node.sql)).find((each) => each.id === id)
  const agencyName = node.config.agency.name
  const trailOf = (c: Context<StaffEnv>) => openTrail(node.log, { by: c.get('staff').id, from: whereFrom(node, c) })
  return new Hono<StaffEnv>()
    .use(requireStaff(node), requireOwner)
    .get('/history', (c) => answerHistory(node, c))
    .get('/', async (c) => c.json((await listAccounts(node.sql)) satisfies Account[]))
    .post('/', requireConfirmed, async (c) => {
      const form = await readBody(c, accountForm)
      const password = acceptPassword(form.password, { username: form.username, agencyName })
      const id = await addStaff(node.sql, { ...form, password }, trailOf(c))
      if (id === undefined) throw invalidField('username', 'This username is taken')
      await tellStaffChanged(node.bus)
      return c.json(await account(id), 201)
    })
    .patch('/:id', async (c) => {
      const id = c.req.param('id')
      const { password, tokens, webhooks, ...change } = await readBody(c, accountChange)
      if (change.role !== undefined || password !== undefined) expectConfirmed(c)
      const known = await account(id)
      if (!known) throw nothingThere()
      if (password !== undefined) expectAnothers(c, id)
      const chosen = password !== undefined && {
        password: acceptPassword(password, { username: known.username, agencyName }),
      }
      await told(node, changeAccount(node.sql, id, { ...change, ...chosen, leaving: { tokens, webhooks } }, trailOf(c)))
      return c.json(await account(id))
    })
    .post('/:id/password-link', requireConfirmed, async (c) => {
      const link = await makePasswordLink(node, expectAnothers(c, c.req.param('id')), trailOf(c))
      if (!link) throw nothingThere()
      return c.json(link, 201)
    })
    .get('/sign-in-rules', async (c) => c.json((await readSignInRules(node.sql)) satisfies SignInRules))
    .put('/sign-in-rules', requireConfirmed, async (c) => {
      const rules = await readBody(c, signInRulesForm)
      const hasOwn = (await account(c.get('staff').id))?.hasTwoFactor
      if (rules.requiresTwoFactor && !hasOwn) {
        throw new RequestError('conflict', 'Set up two-factor sign-in for yourself first')
      }
      await changeSignInRules(node.sql, rules, trailOf(c))
      await tellSessionsEnded(node.bus)
      return c.json(rules satisfies SignInRules)
    })
    .delete('/:id/two-factor', requireConfirmed, async (c) => {
      const id = expectAnothers(c, c.req.param('id'))
      if (!(await turnOff(node.sql, id, trailOf(c)))) throw nothingThere()
      await tellSessionsEnded(node.bus)
      return c.body(null, 204)
    })
    .delete('/:id', requireConfirmed, async (c) => {
      const leaving = validate(leavingOwner, c.req.query())
      await told(node, removeAccount(node.sql, c.req.param('id'), trailOf(c), leaving))
      return c.body(null, 204)
    })
}
