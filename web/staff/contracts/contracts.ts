import { mutate } from 'swr'
import { inRand } from '../../../events/base/amount.ts'
import type { NewWord } from '../../../events/base/word.ts'
import type { StepRequest } from '../../../events/contract/life.ts'
import {
  type ContractRow,
  type ContractState,
  contractRows,
  contractsSummary,
  type SignedContract,
  signedContract,
} from '../../../events/contract/wire.ts'
import { send } from '../../client/http.ts'
import { dayInShort } from '../day.ts'
import { useGet, useGetPages } from '../requests/use-get.ts'

const LIST_KEY = '/api/contracts'

export const contractAddress = (leadId: string) => `/api/leads/${encodeURIComponent(leadId)}/contract`

export const STATE_NAMES: Record<ContractState, string> = {
  signed: 'Signed',
  accepted: 'Accepted',
  declined: 'Declined',
  live: 'Live',
  notice: 'Notice given',
  ended: 'Ended',
}

/** A state in words; a newer node may send a new one. */
export const stateInWords = (state: ContractState | NewWord): string =>
  Object.hasOwn(STATE_NAMES, state) ? STATE_NAMES[state as ContractState] : state

/** The monthly fee; `Once` for a contract without one. */
export const feeInWords = (monthly: number | null) => (monthly === null ? 'Once' : `${inRand(monthly)}/month`)

const inDays = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`

/** How long a signed contract has waited, and until when its site is promised to be live. */
export const waitInDays = ({ waits, dueOn }: Pick<ContractRow, 'waits' | 'dueOn'>) =>
  waits === null ? '' : `${waits === 0 ? 'today' : inDays(waits)}, due ${dayInShort(dueOn)}`

/** A day, or a dash if it is not known. */
export const dayOrDash = (day: string | null) => (day === null ? '–' : dayInShort(day))

/** The contracts of a filter, page by page. */
export const useContracts = (filter: URLSearchParams) =>
  useGetPages(`${LIST_KEY}?${filter}`, contractRows, { poll: 'lists', keepPreviousData: true })

/** How many contracts a filter has, and the totals of all. */
export const useContractsSummary = (filter: URLSearchParams) =>
  useGet(`${LIST_KEY}/summary?${filter}`, contractsSummary, { poll: 'lists', keepPreviousData: true })

/** The contract of a lead, fetched again until its signed copy is made. */
export const useContract = (leadId: string) =>
  useGet(contractAddress(leadId), signedContract, {
    poll: (known) => (known && known.copies.length === 0 ? 'sending' : 'never'),
    shouldRetryOnError: false,
  })

/** Takes a step, or undoes the last one, on the contract as it was shown. */
export const takeStep = async (leadId: string, { version }: SignedContract, step: StepRequest): Promise<void> => {
  const address = contractAddress(leadId)
  try {
    await send('POST', `${address}/steps`, step, { 'if-match': `"${version}"` })
  } finally {
    // also after a refusal: a colleague may have been faster
    await mutate((key) => typeof key === 'string' && (key === address || key.startsWith(LIST_KEY)))
  }
}
