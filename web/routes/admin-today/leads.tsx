import { useState } from 'react'
import type { FollowUp } from '../../../events/follow-up.ts'
import { sourceInWords } from '../../../events/lead-labels.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { useColleagues } from '../../staff/colleagues.ts'
import { AssignToMe } from '../../staff/leads/assign.tsx'
import { changeWithUndo } from '../../staff/leads/change-with-undo.ts'
import type { PressContact } from '../../staff/leads/contact.tsx'
import { ContractChips } from '../../staff/leads/contract-chips.tsx'
import { dialOf } from '../../staff/leads/dial.ts'
import { EmailLink } from '../../staff/leads/email-link.tsx'
import { leadTitle } from '../../staff/leads/list.ts'
import { MessageLine } from '../../staff/leads/message-line.tsx'
import { BriefNextAction, FailedEmail, MissedCall, ReplyPromise } from '../../staff/leads/promise.tsx'
import { receivedInShort } from '../../staff/leads/received.ts'
import { StatusChip } from '../../staff/leads/status.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { LeadTitle } from './lead-title.tsx'
import { Row, Section } from './section.tsx'

/** What is done with a lead of a list when that is over, and how that is said then. */
type Ending = { label: string; change: FollowUp; done: string }

/** Somebody has answered: the clock stops. */
export const ANSWERED: Ending = {
  label: 'Mark contacted',
  change: { followUpStatus: 'contacted' },
  done: 'marked contacted',
}

/** The action is done, and no other one is planned. */
export const DONE: Ending = { label: 'Done', change: { nextActionDate: null }, done: 'next action done' }

const LeadRow = (props: { lead: Lead; ending: Ending; press: PressContact; onChanged: () => void }) => {
  const { lead, ending, press, onChanged } = props
  const { data: colleagues } = useColleagues()
  const [isBusy, setBusy] = useState(false)
  const owner = colleagues?.find(({ id }) => id === lead.ownerId)
  const title = leadTitle(lead)
  const end = async () => {
    if (isBusy) return
    setBusy(true)
    await changeWithUndo([lead], ending.change, { done: ending.done, onDone: onChanged })
    setBusy(false)
  }
  return (
    <Row
      title={<LeadTitle lead={lead} />}
      actions={
        <>
          {lead.phone && (
            <ButtonLink
              look="quiet"
              href={dialOf(lead.phone)}
              aria-label={`Call ${title}`}
              onClick={press(lead, 'call', null)}
            >
              Call
            </ButtonLink>
          )}
          {lead.email && <EmailLink lead={lead} press={press} label={`Email ${title}`} />}
          <AssignToMe lead={lead} onChanged={onChanged} />
          <Button look="quiet" aria-disabled={isBusy} onClick={end} aria-label={`${ending.label}: ${title}`}>
            {ending.label}
          </Button>
        </>
      }
    >
      <MessageLine lead={lead} />
      <ContractChips lead={lead} />
      {lead.followUpStatus === 'new' ? <ReplyPromise lead={lead} /> : <StatusChip status={lead.followUpStatus} />}
      <FailedEmail lead={lead} />
      <MissedCall lead={lead} />
      <BriefNextAction day={lead.nextActionDate} />
      <span>{sourceInWords(lead.leadSource)}</span>
      <span>{owner?.displayName ?? (lead.ownerId ? 'A former colleague' : 'Unassigned')}</span>
      <time dateTime={lead.timestamp}>{receivedInShort(lead)}</time>
    </Row>
  )
}

/** What leads are counted to (`GET /api/today`). */
const MAX_COUNTED = 100

/** A number of leads; from 100 on nobody counts. */
export const countOf = (count: number) => (count >= MAX_COUNTED ? `${MAX_COUNTED}+` : String(count))

/** Leads to work on, each a click from its answer; nothing where there are none. */
export const LeadSection = (props: {
  id: string
  title: string
  found: { count: number; leads: Lead[] }
  ending: Ending
  isUrgent?: boolean
  /** The query of the dashboard that lists all of them. */
  all: string
  press: PressContact
  onChanged: () => void
}) =>
  props.found.leads.length === 0 ? null : (
    <Section
      id={props.id}
      title={props.title}
      count={countOf(props.found.count)}
      {...(props.isUrgent && { isUrgent: true })}
      all={`/admin-dashboard?period=all&${props.all}`}
    >
      {props.found.leads.map((lead) => (
        <LeadRow key={lead.id} lead={lead} ending={props.ending} press={props.press} onChanged={props.onChanged} />
      ))}
    </Section>
  )
