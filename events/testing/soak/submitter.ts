import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { growingDelay } from '../../base/backoff.ts'
import type { Ledger } from './ledger.ts'

const ANSWER_TIMEOUT_MS = 20_000

/** How forms reach the nodes. */
export type SubmitterOptions = {
  ledger: Ledger
  headers: () => Record<string, string>
  pickUrl: () => string
}

/** Sends forms; each, by one key, until a node has responded that it is stored. */
export type Submitter = {
  submit: (name: string, isContract: boolean) => void
  /** How many forms are still without a response. */
  readonly open: number
}

/** Opens a sender of forms. */
export const openSubmitter = ({ ledger, headers, pickUrl }: SubmitterOptions): Submitter => {
  let open = 0

  const post = async (name: string, isContract: boolean, key: string, own: Record<string, string>) => {
    const asked = isContract
      ? { leadSource: 'contract_premium', businessName: 'Shop', agreedToTerms: true }
      : { leadSource: 'hero_form' }
    const response = await fetch(`${pickUrl()}/api/leads`, {
      method: 'POST',
      headers: { ...own, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ name, email: 'ana@example.com', phone: '+27 82 555 0199', ...asked }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    const answer = await response.text()
    if (response.status === 201) return (JSON.parse(answer) as { id: string }).id
    if (response.status === 503) return undefined
    ledger.flaws.push({ kind: 'refused', what: `form ${name}: ${response.status} ${answer}` })
    return undefined
  }

  const insist = async (name: string, isContract: boolean) => {
    const key = randomUUID()
    const own = headers()
    for (let failures = 0; ; failures += 1) {
      const id = await post(name, isContract, key, own).catch(() => undefined)
      if (id !== undefined) {
        ledger.leads.push({ id, name })
        return
      }
      ledger.repeated += 1
      await delay(growingDelay(failures))
    }
  }

  return {
    submit: (name, isContract) => {
      open += 1
      void insist(name, isContract).finally(() => {
        open -= 1
      })
    },
    get open() {
      return open
    },
  }
}
