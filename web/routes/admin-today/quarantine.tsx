import { Link } from 'react-router'
import type { Lead } from '../../../events/lead/wire.ts'
import { changeWithUndo } from '../../staff/leads/change/change-with-undo.ts'
import { receivedInShort } from '../../staff/leads/clock/received-in-words.ts'
import { leadTitle } from '../../staff/leads/list/groups.ts'
import { quarantinePath, reasonInWords } from '../../staff/leads/quarantine/quarantine.ts'
import { ReleaseButton, releaseWithToast } from '../../staff/leads/quarantine/release-button.tsx'
import { SPAM, SpamButton } from '../../staff/leads/quarantine/spam-button.tsx'
import { ContractChips } from '../../staff/leads/shown/contract-chips.tsx'
import { MessageLine } from '../../staff/leads/shown/message-line.tsx'
import { useBusy } from '../../staff/requests/use-busy.ts'
import { Button } from '../../ui/button.tsx'
import { LeadTitle } from './lead-title.tsx'
import { Row } from './section.tsx'

const FlaggedRow = ({ lead, onChanged }: { lead: Lead; onChanged: () => void }) => {
  const title = leadTitle(lead)
  return (
    <Row
      id={`flagged-${lead.id}`}
      title={<LeadTitle lead={lead} />}
      actions={
        <>
          <ReleaseButton lead={lead} look="quiet" label={`Not spam: ${title}`} onReleased={onChanged} />
          <SpamButton lead={lead} onChanged={onChanged} />
        </>
      }
    >
      <MessageLine lead={lead} />
      <ContractChips lead={lead} />
      <span>{lead.suspicion?.map(reasonInWords).join(' ')}</span>
      <time dateTime={lead.timestamp}>{receivedInShort(lead)}</time>
    </Row>
  )
}

/** The button of a row of many, which acts once. */
const ForAll = ({ label, act }: { label: string; act: () => Promise<unknown> }) => {
  const { isBusy, run } = useBusy('Not changed')
  return (
    <Button look="quiet" aria-disabled={isBusy} onClick={() => run(act)}>
      {label}
    </Button>
  )
}

const FlaggedGroup = ({ leads, onChanged }: { leads: [Lead, ...Lead[]]; onChanged: () => void }) => {
  const [newest] = leads
  const cause = newest.suspicion?.includes('over_limit') ? 'from one connection' : 'that look like spam'
  const markAll = () => changeWithUndo(leads, SPAM, { done: 'marked as spam', onDone: onChanged })
  return (
    <Row
      id={`flagged-${newest.id}`}
      title={
        <Link to={quarantinePath()}>
          {leads.length} contracts {cause}
        </Link>
      }
      actions={
        <>
          <ForAll label="All spam" act={markAll} />
          <ForAll label="None is spam" act={() => releaseWithToast(leads).then(onChanged)} />
        </>
      }
    >
      <span>{newest.suspicion?.map(reasonInWords).join(' ')}</span>
      <time dateTime={newest.timestamp}>{receivedInShort(newest)}</time>
    </Row>
  )
}

const causeOf = ({ suspicion = [] }: Lead) => suspicion.join(' ')

/** The signed contracts that look like spam, until staff decide on them; those with one cause are one row. */
export const FlaggedRows = ({ leads, onChanged }: { leads: readonly Lead[]; onChanged: () => void }) =>
  [...Map.groupBy(leads, causeOf).values()].map((group) => {
    const [first, ...others] = group
    if (!first) return null
    if (others.length > 0) return <FlaggedGroup key={first.id} leads={[first, ...others]} onChanged={onChanged} />
    return <FlaggedRow key={first.id} lead={first} onChanged={onChanged} />
  })
