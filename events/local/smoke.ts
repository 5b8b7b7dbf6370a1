import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'

const POLL_INTERVAL_MS = 100

/** Polls until `attempt` returns a value; an error counts as none yet. */
export async function until<T>(
  condition: string,
  deadlineMs: number,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + deadlineMs
  let lastError: unknown
  while (Date.now() < deadline) {
    try {
      const result = await attempt()
      if (result !== undefined) return result
    } catch (error) {
      lastError = error
    }
    await sleep(POLL_INTERVAL_MS)
  }
  throw new Error(`${condition}: not within ${deadlineMs / 1000} s`, { cause: lastError })
}

/** Signs in as staff and returns the cookie. */
export async function signIn(site: string, username: string, password: string): Promise<string> {
  const answer = await post(`${site}/api/login`, { username, password })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  if (answer.status !== 204 || cookie === undefined) throw new Error(`Signing in answered ${answer.status}`)
  return cookie
}

/** Submits a lead as a visitor and waits until staff see it in their list. */
export async function leadReachesStaff(site: string, cookie: string): Promise<void> {
  const email = `smoke-${randomUUID()}@example.com`
  const lead = { name: 'Smoke Test', email, phone: '+27 21 555 0100', leadSource: 'hero_form' }
  const answer = await post(`${site}/api/leads`, lead)
  if (answer.status !== 201) throw new Error(`Submitting a lead answered ${answer.status}: ${await answer.text()}`)
  const list = v.array(v.object({ email: v.string() }))
  await until('The lead in the staff’s list', 10_000, async () => {
    const leads = v.parse(list, await (await fetch(`${site}/api/leads`, { headers: { cookie } })).json())
    return leads.find((found) => found.email === email)
  })
}

function post(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify(body),
  })
}
