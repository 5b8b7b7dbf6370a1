import { useState } from 'react'
import { agencyDay } from '../../../events/base/agency-day.ts'
import { canUndo } from '../../../events/contract/life.ts'
import type { SignedContract } from '../../../events/contract/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { Button } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { Chip } from '../chip.tsx'
import { dayInShort, dayOf } from '../day.ts'
import { emailStateInWords } from '../email/email-states.ts'
import { toastFailure } from '../requests/refusal.ts'
import { feeInWords, stateInWords, takeStep } from './contracts.ts'
import { StepDialog, type StepName } from './step-dialog.tsx'

/** The steps that are possible in a state, the usual one first. */
const possibleSteps = ({ state, months, steps }: SignedContract): StepName[] => {
  const content: StepName[] = steps.some((step) => step.state === 'content') ? [] : ['content']
  if (state === 'signed') return ['accept', 'decline', ...content]
  if (state === 'accepted') return ['live', ...content]
  return state === 'live' && months !== null ? ['notice'] : []
}

const LABELS: Record<StepName, string> = {
  accept: 'Accept',
  decline: 'Decline',
  content: 'Content arrived',
  live: 'Set live',
  notice: 'Record notice',
}

type Step = SignedContract['steps'][number]

/** The email to the client about a step, by its state; undefined if none was wanted. */
const emailInWords = ({ emailState }: Step): string | undefined => {
  switch (emailState) {
    case null:
      return undefined
    case 'delivered':
      return 'emailed'
    case 'outbox':
      return 'not emailed: email is not set up'
    case 'pending':
    case 'retrying':
      return 'email not sent yet'
    default:
      return emailStateInWords(emailState)?.toLowerCase()
  }
}

const stepInWords = ({ state, by, countersignedBy, on, endsOn, reason }: Step): string => {
  const name = countersignedBy ?? by ?? 'a former staff member'
  switch (state) {
    case 'accepted':
      return `Accepted and countersigned by ${name}`
    case 'declined':
      return `Declined by ${name}${reason ? `: ${reason}` : ''}`
    case 'content':
      return `Content arrived on ${on ? dayInShort(on) : ''}`
    case 'live':
      return `Live since ${on ? dayInShort(on) : ''}`
    case 'notice':
      return `Notice given on ${on ? dayInShort(on) : ''}, ends on ${endsOn ? dayInShort(endsOn) : ''}`
    default:
      return state
  }
}

const datesInWords = ({ state, endsOn, firstPossibleEnd, dueOn }: SignedContract): string => {
  if (dueOn) return `Promised to be live by ${dayInShort(dueOn)}`
  if (endsOn) return `${state === 'ended' ? 'Ended' : 'Ends'} on ${dayInShort(endsOn)}`
  return firstPossibleEnd ? `Can end on ${dayInShort(firstPossibleEnd)} at the earliest` : ''
}

export const ContractLife = ({ leadId, contract }: { leadId: string; contract: SignedContract }) => {
  const [step, setStep] = useState<StepName>()
  const { steps, state } = contract
  const last = steps.at(-1)
  const undo = async ({ id: eventId, emailState }: Step) => {
    try {
      await takeStep(leadId, contract, { step: 'undo', eventId })
      const left = 'The client may have got the email about it: write to them.'
      toast({ title: 'Undone', ...(emailState !== null && emailState !== 'outbox' && { description: left }) })
    } catch (error) {
      toastFailure('Couldn’t undo', error)
    }
  }
  return (
    <div css={{ display: 'grid', gap: space.snug, marginBottom: space.base }}>
      <p css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: `${space.hair} ${space.snug}` }}>
        <Chip tone={state === 'signed' ? 'fresh' : state === 'live' ? 'good' : 'plain'}>{stateInWords(state)}</Chip>
        <span css={{ fontVariantNumeric: 'tabular-nums' }}>{feeInWords(contract.monthly)}</span>
        <span css={{ color: colour.soft }}>{datesInWords(contract)}</span>
      </p>
      {steps.length > 0 && (
        <ol aria-label="Steps" css={{ display: 'grid', gap: space.tight, fontSize: type.small }}>
          {steps.map((each) => (
            <li
              key={each.id}
              css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: `0 ${space.tight}` }}
            >
              <span css={{ minWidth: 0, overflowWrap: 'anywhere' }}>{stepInWords(each)}</span>
              <time dateTime={each.at} css={{ color: colour.soft }}>
                {[dayInShort(dayOf(each.at)), emailInWords(each)].filter(Boolean).join(', ')}
              </time>
              {each.id === last?.id && canUndo(each, state, agencyDay(serverNow())) && (
                <Button look="quiet" onClick={() => undo(each)}>
                  Undo
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      {possibleSteps(contract).length > 0 && (
        <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
          {possibleSteps(contract).map((each, index) => (
            <Button key={each} look={index === 0 ? 'solid' : 'outline'} onClick={() => setStep(each)}>
              {LABELS[each]}
            </Button>
          ))}
        </div>
      )}
      {step && <StepDialog leadId={leadId} contract={contract} step={step} onClose={() => setStep(undefined)} />}
    </div>
  )
}
