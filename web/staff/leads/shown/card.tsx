import { sourceInWords } from '../../../../events/lead/labels.ts'
import { LEAD_FORM_TYPE } from '../../../../events/lead/lead.ts'
import { namesOf } from '../../../../events/lead/name.ts'
import { isErased, type Lead } from '../../../../events/lead/wire.ts'
import { colour, from, panel, space, type } from '../../../ui/theme.ts'
import { useColleagues } from '../../account/colleagues.ts'
import { receivedTime } from '../clock/received-in-words.ts'
import { PhoneNumber } from '../contact/contact-links.tsx'
import { CopyButtons } from '../contact/copy-buttons.tsx'
import { EmailText } from '../contact/email-text.tsx'
import { LogCall } from '../contact/log-contact.tsx'
import { cardTitle, leadCompany } from '../list/groups.ts'
import { Answers, choicesOf } from './answers.tsx'
import { Detail } from './detail.tsx'
import { LeadChips } from './lead-chips.tsx'
import { DraftIcons } from './lead-drafts.tsx'
import { answersOf, hasAnswers } from './lead-message.tsx'
import { LeadLink } from './link.tsx'

const wordsOf = (lead: Lead) =>
  hasAnswers(lead) ? answersOf(lead) : [['Message', lead.message] as [string, string | null]]

/** The visitor's other answers, collapsed: the list stays short, and nothing has to be copied to be read. */
const Request = ({ lead }: { lead: Lead }) => (
  <details css={{ '&[open]': { flexBasis: '100%' } }}>
    <summary css={{ cursor: 'pointer', fontSize: type.small, fontWeight: 500 }}>Full request</summary>
    <dl css={{ display: 'grid', gap: space.snug, marginTop: space.snug }}>
      <Answers answers={[['Name', lead.name], ...choicesOf(lead), ['Page', lead.pageUrl], ...wordsOf(lead)]} />
    </dl>
  </details>
)

/**
 * The person, if the card's heading is their business, and the lead's state: status, promise, owner, next action,
 * email.
 */
const LeadState = ({ lead }: { lead: Lead }) => {
  const { data: colleagues } = useColleagues()
  const { person } = namesOf(lead)
  const owner = colleagues?.find(({ id }) => id === lead.ownerId)
  return (
    <div
      css={{
        display: 'flex',
        flexBasis: '100%',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: space.tight,
        [from.large]: { flexBasis: 'auto' },
      }}
    >
      {person !== cardTitle(lead) && <span css={{ fontWeight: 500, overflowWrap: 'anywhere' }}>{person}</span>}
      <LeadChips lead={lead} />
      <DraftIcons lead={lead} />
      {owner && <span css={{ color: colour.soft, fontSize: '0.8125rem' }}>Assigned to {owner.displayName}</span>}
    </div>
  )
}

/** How the person is reached, the lead's source, and its company. */
const Details = ({ lead }: { lead: Lead }) => (
  <dl
    css={{
      display: 'grid',
      gap: `${space.snug} ${space.base}`,
      margin: `${space.snug} 0 ${space.base}`,
      [from.medium]: { marginBlock: space.tight },
      gridTemplateColumns: '1fr 1fr',
      // half of a phone's width breaks an address, and the name of a firm
      '& > :first-of-type, & > :last-of-type': { gridColumn: '1 / -1', [from.medium]: { gridColumn: 'auto' } },
      [from.large]: { gridTemplateColumns: '1.4fr 1fr 1fr 1fr' },
    }}
  >
    <Detail name="Email">{lead.email && <EmailText email={lead.email} />}</Detail>
    <Detail name="Phone">
      {lead.phone && (
        <span css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: `0 ${space.tight}` }}>
          <PhoneNumber lead={lead} />
          <LogCall lead={lead} title={cardTitle(lead)} />
        </span>
      )}
    </Detail>
    <Detail name="Source">
      {sourceInWords(lead.leadSource)}{' '}
      {lead.leadSource !== sourceInWords(lead.leadSource) && (
        <span css={{ color: colour.soft }}>{lead.leadSource}</span>
      )}
    </Detail>
    <Detail name="Company">{leadCompany(lead)}</Detail>
  </dl>
)

/** One lead in a list for staff. `heading` is the level of its title. */
export const LeadCard = ({
  lead,
  when = receivedTime(lead),
  heading: Heading = 'h3',
}: {
  lead: Lead
  when?: string
  heading?: 'h3' | 'h4'
}) => (
  <article
    aria-label={cardTitle(lead)}
    css={{
      padding: `1.125rem ${space.base}`,
      [from.medium]: { padding: `${space.snug} ${space.roomy}` },
      ...panel,
    }}
  >
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: `${space.tight} ${space.snug}` }}>
      <Heading
        css={{ margin: 0, fontSize: '1.0625rem', lineHeight: 1.2, letterSpacing: '-0.01em', overflowWrap: 'anywhere' }}
      >
        {cardTitle(lead)} <span css={{ color: colour.soft, fontWeight: 400 }}>[{LEAD_FORM_TYPE}]</span>
      </Heading>
      <time
        dateTime={lead.timestamp}
        css={{
          marginLeft: 'auto',
          color: colour.soft,
          fontSize: type.small,
          fontVariantNumeric: 'tabular-nums',
          // if there is room the state comes between, in the same line
          [from.large]: { order: 1 },
        }}
      >
        {when}
      </time>
      {!isErased(lead) && <LeadState lead={lead} />}
    </div>
    <Details lead={lead} />
    <div
      css={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: `${space.snug} ${space.base}`,
      }}
    >
      <Request lead={lead} />
      <div
        css={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: space.tight,
          '&& > *': { paddingInline: space.tight, [from.medium]: { paddingInline: space.snug } },
        }}
      >
        <LeadLink id={lead.id} title={cardTitle(lead)} />
        {!isErased(lead) && <CopyButtons lead={lead} />}
      </div>
    </div>
  </article>
)
