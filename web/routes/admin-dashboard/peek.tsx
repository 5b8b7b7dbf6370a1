import { shownPhone } from '../../../events/base/phone.ts'
import { sourceInWords } from '../../../events/lead/labels.ts'
import { isErased, type Lead } from '../../../events/lead/wire.ts'
import { useOwnerName } from '../../staff/colleagues.ts'
import { AssignToMe } from '../../staff/leads/change/assign.tsx'
import { receivedMoment } from '../../staff/leads/clock/received-in-words.ts'
import { CallLink, WhatsAppLink } from '../../staff/leads/contact/contact-links.tsx'
import { CopyButtons } from '../../staff/leads/contact/copy-buttons.tsx'
import { EmailAddress } from '../../staff/leads/contact/email-address.tsx'
import { EmailLink } from '../../staff/leads/contact/email-link.tsx'
import { LogCall } from '../../staff/leads/contact/log-contact.tsx'
import { ANSWERED, ListActionButton } from '../../staff/leads/list/action.tsx'
import { leadCompany, leadTitle } from '../../staff/leads/list/groups.ts'
import { FlagButton } from '../../staff/leads/quarantine/flag-button.tsx'
import { Answers, choicesOf } from '../../staff/leads/shown/answers.tsx'
import { Detail } from '../../staff/leads/shown/detail.tsx'
import { LeadChips } from '../../staff/leads/shown/lead-chips.tsx'
import { DraftIcons } from '../../staff/leads/shown/lead-drafts.tsx'
import { hasAnswers, Words } from '../../staff/leads/shown/lead-message.tsx'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { LeadLink } from '../../staff/leads/shown/link.tsx'
import { focusRow } from '../../staff/list-keys.ts'
import { SidePanel } from '../../staff/shell/side-panel.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'
import { FollowUpChoices, useActOnLeads } from './follow-up-choices.tsx'
import { PeekPerson, scrolledWords } from './peek-person.tsx'

const Actions = ({ lead, onChanged }: { lead: Lead; onChanged: () => void }) => (
  <>
    <CallLink lead={lead} />
    {lead.phone && <LogCall lead={lead} />}
    <WhatsAppLink lead={lead} />
    {lead.email && <EmailLink lead={lead} />}
    <AssignToMe lead={lead} onChanged={onChanged} />
    {lead.followUpStatus === 'new' && (
      <ListActionButton lead={lead} action={ANSWERED} onChanged={onChanged} onEnded={() => focusRow(lead.id)} />
    )}
    <CopyButtons lead={lead} />
    <FlagButton lead={lead} onChanged={onChanged} onFlagged={() => focusRow(lead.id)} />
  </>
)

const Choices = ({ lead, onChanged }: { lead: Lead; onChanged: () => void }) => (
  <div
    css={{
      display: 'grid',
      gridTemplateColumns: '1fr 1fr',
      gap: space.tight,
      marginTop: space.tight,
      '> select': { width: '100%' },
    }}
  >
    <FollowUpChoices {...useActOnLeads([lead], onChanged)} />
  </div>
)

/** Some answers of a questionnaire, and a part of the next one, to show that there are more. */
const answersSize = { maxHeight: '10.25rem', [from.large]: { maxHeight: '19rem' } } as const

/** The visitor's message, before the actions; a long one scrolls. */
const TheirWords = ({ lead }: { lead: Lead }) =>
  lead.message ? (
    <section
      aria-label="What they wrote"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      tabIndex={0}
      css={[scrolledWords, hasAnswers(lead) && answersSize]}
    >
      <Words lead={lead} />
    </section>
  ) : null

const Owner = ({ lead }: { lead: Lead }) => <Detail name="Owner">{useOwnerName(lead.ownerId) ?? 'Unassigned'}</Detail>

/** A lead in full next to the list; on a small screen over its lower half. */
export const Peek = ({ lead, onChanged, onClose }: { lead: Lead; onChanged: () => void; onClose: () => void }) => (
  <SidePanel name={`Preview: ${leadTitle(lead)}`} title={<LeadName lead={lead} />} onClose={onClose}>
    <p css={{ color: colour.soft, fontSize: type.small }}>{receivedMoment(lead)}</p>
    {!isErased(lead) && (
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight, marginTop: space.snug }}>
        <LeadChips lead={lead} />
        <DraftIcons lead={lead} />
      </div>
    )}
    <TheirWords lead={lead} />
    {!isErased(lead) && <PeekPerson lead={lead} />}
    <div
      css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight, marginTop: space.base, '> *': { flex: '1 1 auto' } }}
    >
      <LeadLink id={lead.id} title={leadTitle(lead)} />
      {!isErased(lead) && <Actions lead={lead} onChanged={onChanged} />}
    </div>
    {!isErased(lead) && <Choices lead={lead} onChanged={onChanged} />}
    <dl css={{ display: 'grid', gap: space.snug, marginTop: space.base }}>
      {!isErased(lead) && <Owner lead={lead} />}
      <Detail name="Email">{lead.email && <EmailAddress email={lead.email} />}</Detail>
      <Detail name="Phone">{shownPhone(lead.phone)}</Detail>
      <Detail name="Source">{sourceInWords(lead.leadSource)}</Detail>
      <Detail name="Company">{leadCompany(lead)}</Detail>
      <Answers answers={[['Name', lead.name], ...choicesOf(lead), ['Page', lead.pageUrl]]} />
    </dl>
  </SidePanel>
)
