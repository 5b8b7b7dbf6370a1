import type { Context } from 'hono'
import { type Account, accountChange, accountForm, leavingOwner, signInRulesForm } from '../../events/staff/staff.ts'
import * as wire from '../../events/staff/wire.ts'
import { invalidField, RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import { acceptPassword } from './accepted-password.ts'
import { addStaff, changeAccount, LastOwnerError, listAccounts, removeAccount } from './account.ts'
import { listHistory } from './account-history.ts'
import { expectConfirmed } from './confirmation.ts'
import { makePasswordLink } from './password-link.ts'
import { notifyStaffChanged } from './profile.ts'
import { notifySessionsEnded } from './session.ts'
import { changeSignInRules, readSignInRules } from './sign-in-rules.ts'
import type { StaffEnv } from './staff.ts'
import { trailOf } from './trail.ts'
import { turnOff } from './two-factor.ts'

const nothingThere = () => new RequestError('not_found', 'There is no account with this id')

/**
 * Refuses changes of one's own account from the list of accounts: the account screen asks for the password, since a
 * session may have been found open.
 */
const assertNotOwn = (c: Context<StaffEnv>, id: string) => {
  if (id === c.get('staff').id) throw new RequestError('conflict', 'Do this on your account screen')
  return id
}

/** Notifies all nodes of a change or removal of an account: its sessions may have ended. */
const notifyAfter = async (node: ApiNode, work: Promise<boolean>) => {
  try {
    if (!(await work)) throw nothingThere()
  } catch (error) {
    if (error instanceof LastOwnerError) throw new RequestError('last_owner', error.message, { cause: error })
    throw error
  }
  await Promise.all([notifySessionsEnded(node.bus), notifyStaffChanged(node.bus)])
}

const findAccount = async (node: ApiNode, id: string): Promise<Account> => {
  const found = (await listAccounts(node.sql)).find((account) => account.id === id)
  if (!found) throw nothingThere()
  return found
}

/** Owners list, add, change and remove the accounts of staff, and read their history. One owner always remains. */
export const accountRoutes = [
  listHistory,
  route('GET', '/api/accounts', {
    access: 'owners',
    summary: 'Lists accounts',
    answer: wire.accounts,
    handler: ({ node }) => listAccounts(node.sql),
  }),
  route('POST', '/api/accounts', {
    access: 'owners',
    isConfirmed: true,
    summary: 'Adds an account',
    body: accountForm,
    answer: wire.account,
    status: 201,
    handler: async ({ node, c, body: form }) => {
      const { name: agencyName } = node.config.agency
      const password = acceptPassword(form.password, { username: form.username, agencyName })
      const id = await addStaff(node.sql, { ...form, password }, trailOf(node, c))
      if (id === undefined) throw invalidField('username', 'This username is taken')
      await notifyStaffChanged(node.bus)
      return await findAccount(node, id)
    },
  }),
  route('PATCH', '/api/accounts/:id', {
    access: 'owners',
    // for a role, or a password
    isConfirmed: 'sometimes',
    summary: 'Changes an account',
    body: accountChange,
    answer: wire.account,
    mayConflict: true,
    handler: async ({ node, c, params: { id }, body: { password, tokens, webhooks, ...change } }) => {
      if (change.role !== undefined || password !== undefined) expectConfirmed(c.get('staff'))
      const { username } = await findAccount(node, id)
      if (password !== undefined) assertNotOwn(c, id)
      const { name: agencyName } = node.config.agency
      const chosen = password !== undefined && { password: acceptPassword(password, { username, agencyName }) }
      const wanted = { ...change, ...chosen, leaving: { tokens, webhooks } }
      await notifyAfter(node, changeAccount(node.sql, id, wanted, trailOf(node, c)))
      return await findAccount(node, id)
    },
  }),
  route('POST', '/api/accounts/:id/password-link', {
    access: 'owners',
    isConfirmed: true,
    summary: 'Makes a link to choose a new password',
    answer: wire.passwordLink,
    status: 201,
    handler: async ({ node, c, params: { id } }) => {
      const link = await makePasswordLink(node, assertNotOwn(c, id), trailOf(node, c))
      if (!link) throw nothingThere()
      return link
    },
  }),
  route('GET', '/api/accounts/sign-in-rules', {
    access: 'owners',
    summary: 'The sign-in rules for all accounts',
    answer: wire.signInRules,
    handler: ({ node }) => readSignInRules(node.sql),
  }),
  route('PUT', '/api/accounts/sign-in-rules', {
    access: 'owners',
    isConfirmed: true,
    summary: 'Sets the sign-in rules for all accounts',
    body: signInRulesForm,
    answer: wire.signInRules,
    mayConflict: true,
    handler: async ({ node, c, body: rules }) => {
      if (rules.requiresTwoFactor && !c.get('staff').hasTwoFactor) {
        throw new RequestError('conflict', 'Set up two-factor sign-in for yourself first')
      }
      await changeSignInRules(node.sql, rules, trailOf(node, c))
      await notifySessionsEnded(node.bus)
      return rules
    },
  }),
  route('DELETE', '/api/accounts/:id/two-factor', {
    access: 'owners',
    isConfirmed: true,
    summary: 'Turns the second factor of an account off',
    handler: async ({ node, c, params }) => {
      const id = assertNotOwn(c, params.id)
      if (!(await turnOff(node.sql, id, trailOf(node, c)))) throw nothingThere()
      await notifySessionsEnded(node.bus)
    },
  }),
  route('DELETE', '/api/accounts/:id', {
    access: 'owners',
    isConfirmed: true,
    summary: 'Removes an account',
    query: leavingOwner,
    mayConflict: true,
    handler: ({ node, c, params: { id }, query: leaving }) =>
      notifyAfter(node, removeAccount(node.sql, id, trailOf(node, c), leaving)),
  }),
]
