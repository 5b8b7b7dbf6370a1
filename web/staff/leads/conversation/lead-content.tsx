import { isContract } from '../../../../events/lead/form/kind.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { space } from '../../../ui/theme.ts'
import { BriefMissedCall, FailedEmail, NextAction, ReplyPromise } from '../clock/reply-promise.tsx'
import { useLoggedContacts } from '../contact/log-contact.tsx'
import type { useLead } from '../lead.ts'
import { mergedInto, ownIdsOf } from '../merge/links.ts'
import { ContractChip } from '../shown/contract-chips.tsx'
import { hasAnswers } from '../shown/lead-message.tsx'
import { EmailStatusChip } from '../shown/status.tsx'
import { Request } from './bubble.tsx'
import { Columns } from './columns.tsx'
import { Composer } from './composer.tsx'
import { Contract } from './contract.tsx'
import { Flagged } from './flagged.tsx'
import { MergedLeads } from './merged-leads.tsx'
import { OpenChat } from './open-chat.tsx'
import { OtherLeads } from './other-leads.tsx'
import { Panel } from './panel.tsx'
import { PersonLeads } from './person-leads.ts'
import { PersonTimeline } from './person-timeline.tsx'
import { Properties } from './properties.tsx'
import { RequestDetails } from './request-details.tsx'

const Facts = ({ lead }: { lead: Lead }) => (
  <Panel id="request" title="What they sent">
    <RequestDetails lead={lead} />
  </Panel>
)

/** The state of a lead that staff must know before they answer. */
const State = ({ lead }: { lead: Lead }) => (
  <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight, ':empty': { display: 'none' } }}>
    <ReplyPromise lead={lead} />
    <FailedEmail lead={lead} />
    <BriefMissedCall lead={lead} />
    <NextAction day={lead.nextActionDate} />
    <EmailStatusChip status={lead.emailStatus} />
    <ContractChip lead={lead} />
  </div>
)

/**
 * A lead as a conversation next to its properties, for the lead's page and for a panel next to a list: it adapts to the
 * width that it has. `known` is what `useLead` returns, once the lead is there.
 */
export const LeadContent = (props: { lead: Lead; accountId: string; known: ReturnType<typeof useLead> }) => {
  const { lead, accountId, known } = props
  const { person, refresh, onSaved } = known
  const { leads = [], links = [], timeline } = person.data ?? {}
  const ownIds = ownIdsOf(lead.id, leads)
  const merged = mergedInto(lead.id, leads)
  const briefs = merged.filter(hasAnswers).toReversed()
  useLoggedContacts((logged) => logged.leadId === lead.id && onSaved(logged.lead))
  return (
    <PersonLeads value={leads}>
      <Columns
        properties={<Properties key={lead.id} lead={lead} accountId={accountId} onSaved={onSaved} />}
        thread={
          <>
            {lead.suspicion && <Flagged lead={lead} onReleased={refresh} />}
            <State lead={lead} />
            {(lead.message || briefs.length === 0) && <Request lead={lead} isRegion />}
            {briefs.map((brief, index) => (
              <Request key={brief.id} lead={brief} isRegion={index === 0 && !hasAnswers(lead)} />
            ))}
            {!lead.suspicion && <OpenChat timeline={timeline ?? []} leadIds={ownIds} />}
            <PersonTimeline leadId={lead.id} person={person} onUndone={refresh} />
            <Composer
              key={lead.id}
              lead={lead}
              accountId={accountId}
              timeline={timeline}
              ownIds={ownIds}
              onAnswered={onSaved}
              onNoted={refresh}
            />
          </>
        }
        facts={
          <>
            {[lead, ...merged].map(
              ({ id, leadSource }) =>
                isContract(leadSource) && (
                  <Contract key={id} leadId={id} person={{ leads, ownIds, timeline: timeline ?? [] }} />
                ),
            )}
            <Facts lead={lead} />
            <MergedLeads lead={lead} leads={leads} timeline={timeline ?? []} />
            <OtherLeads lead={lead} leads={leads} links={links} onMerged={onSaved} />
          </>
        }
      />
    </PersonLeads>
  )
}
