import { spawn } from 'node:child_process'
import process from 'node:process'
import type { TokenScope } from '../../events/staff/api-token.ts'
import type { Account, StaffRole } from '../../events/staff/staff.ts'
import { asRuntimeUser } from '../../events/testing/database.ts'
import { signIn } from '../../events/testing/node.ts'
import { TEST_ENVIRONMENT } from '../../events/testing/process.ts'
import { openTestProduct } from '../../events/testing/product.ts'

/** The password of every account that is made here. */
export const PASSWORD = 'the password of an account'

type Cookie = { cookie: string }

/** The session cookie that a response sets. */
export const sessionOf = (response: Response): Cookie => ({
  cookie:
    response.headers
      .getSetCookie()
      .find((each) => /staff_session=[^;]/.test(each))
      ?.split(';')[0] ?? '',
})

/** Two nodes and their first owner, with the helpers of the account tests. */
export const openTestAccounts = async (env: Record<string, string> = {}) => {
  const { nodes, sql, startWorker, stop, stores } = await openTestProduct({ nodes: 2, worker: 'never', env })
  let owner = await signIn(nodes[0])
  let made = 0

  /** Calls the first node, or another, as the owner, or as another caller. */
  const send = (method: string, path: string, body?: object, headers: object = owner, node = nodes[0]) =>
    node.call(path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })

  return {
    stores,
    nodes,
    send,
    owner: () => owner,
    /** Signs the owner in again, whose session may have ended. */
    signOwnerIn: async () => {
      owner = await signIn(nodes[0])
    },
    list: async (headers: object = owner): Promise<Account[]> =>
      await (await send('GET', '/api/accounts', undefined, headers)).json(),
    add: async (role: StaffRole): Promise<Account> => {
      made += 1
      const body = { username: `${role}-${made}`, displayName: `Number ${made}`, password: PASSWORD, role }
      const response = await send('POST', '/api/accounts', body)
      if (response.status !== 201) throw new Error(`Adding an account answered ${response.status}`)
      return await response.json()
    },
    /** Makes a token of these scopes, as an owner does. */
    addToken: async (...scopes: TokenScope[]): Promise<{ id: string; token: string }> => {
      const response = await send('POST', '/api/tokens', { name: 'Bookkeeping', scopes })
      if (response.status !== 201) throw new Error(`Making a token answered ${response.status}`)
      return await response.json()
    },
    signInAs: async ({ username }: Account, password = PASSWORD): Promise<Cookie> => {
      const response = await nodes[0].post('/api/login', { username, password })
      if (response.status !== 204) throw new Error(`Signing ${username} in answered ${response.status}`)
      return sessionOf(response)
    },
    /** Lets ten minutes go by since an account gave its password. */
    forgetConfirmation: ({ id }: Pick<Account, 'id'>) =>
      sql`update staff_sessions set confirmed_at = confirmed_at - interval '10 minutes' where staff_id = ${id}`,
    /** Sends the password again, and a code if the account has a second factor. */
    confirm: (body: { password: string; code?: string }, headers: object) =>
      send('POST', '/api/me/confirm', body, headers),
    isSignedIn: async (headers: object) => (await send('GET', '/api/me', undefined, headers)).status === 200,
    /** Runs the command line as an operator does; returns its output. */
    command: async (args: string[], input = '', env: Record<string, string> = {}) => {
      const child = spawn(process.execPath, ['api/staff/staff.cli.ts', ...args], {
        env: {
          ...TEST_ENVIRONMENT,
          DATABASE_URL: asRuntimeUser(stores.databaseUrl),
          REDIS_URL: stores.redisUrl,
          ...env,
        },
      })
      let printed = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (data) => {
          printed += data
        })
      }
      child.stdin.end(input)
      const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
      return { status, printed }
    },
    sql,
    startWorker,
    stop,
  }
}

export type TestAccounts = Awaited<ReturnType<typeof openTestAccounts>>
