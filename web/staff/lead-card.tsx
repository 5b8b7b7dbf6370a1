import { LEAD_FORM_TYPE, type Lead } from '../../events/lead.ts'
import { Button } from '../ui/button.tsx'
import { colour, from, radius, space, type } from '../ui/theme.ts'
import { copyLead, copyLeadData } from './copy.ts'
import { timeOf } from './lead-day.ts'
import { leadCompany, leadTitle } from './lead-list.ts'
import { isWebsiteInfo } from './lead-text.ts'

const FORWARD_STATUS: Record<NonNullable<Lead['forwardStatus']>, { text: string; isBad: boolean }> = {
  pending: { text: 'E-mail waiting', isBad: false },
  retrying: { text: 'E-mail failed, trying again', isBad: true },
  delivered: { text: 'E-mail delivered', isBad: false },
  outbox: { text: 'E-mail in the outbox', isBad: false },
  needs_activation: { text: 'E-mail needs activation', isBad: true },
  blocked: { text: 'E-mail blocked', isBad: true },
  rejected: { text: 'E-mail rejected', isBad: true },
}

const Forwarded = ({ status }: { status: Lead['forwardStatus'] }) => {
  if (!status) return null
  const { text, isBad } = FORWARD_STATUS[status]
  return (
    <span
      css={{
        padding: `0.125rem ${space.tight}`,
        borderRadius: radius.control,
        background: isBad ? colour.badWash : colour.sunk,
        color: isBad ? colour.bad : colour.ink,
        fontSize: '0.8125rem',
        fontWeight: 500,
      }}
    >
      {text}
    </span>
  )
}

const Detail = ({ name, value }: { name: string; value: string | null }) => (
  <div css={{ minWidth: 0 }}>
    <dt css={{ color: colour.soft, fontSize: '0.8125rem' }}>{name}</dt>
    <dd css={{ overflowWrap: 'anywhere' }}>{value || 'N/A'}</dd>
  </div>
)

/** What else the visitor filled in, folded away: the list stays short, and nothing has to be copied to be read. */
const Request = ({ lead }: { lead: Lead }) => {
  const answers: [name: string, value: string | null][] = [
    ['Name', lead.name],
    ['Package', lead.package],
    ['Preferred contact or industry', lead.industry],
    ['Timeline', lead.timeline],
    ['Page', lead.pageUrl],
    ['Message', lead.message],
  ]
  return (
    <details css={{ marginBottom: space.base }}>
      <summary css={{ cursor: 'pointer', fontSize: type.small, fontWeight: 500 }}>Full request</summary>
      <dl css={{ display: 'grid', gap: space.snug, marginTop: space.snug, whiteSpace: 'pre-wrap' }}>
        {answers.map(([name, value]) => value && <Detail key={name} name={name} value={value} />)}
      </dl>
    </details>
  )
}

/** One lead as staff see it in a list (specification, 2: advanced dashboard). */
export const LeadCard = ({ lead, when = timeOf(lead.timestamp) }: { lead: Lead; when?: string }) => (
  <article
    aria-label={leadTitle(lead)}
    css={{
      padding: `1.125rem ${space.roomy}`,
      border: `1px solid ${colour.line}`,
      borderRadius: radius.card,
      background: colour.sheet,
    }}
  >
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: `${space.hair} ${space.snug}` }}>
      <h3 css={{ fontSize: '1.0625rem', letterSpacing: '-0.01em', overflowWrap: 'anywhere' }}>
        {leadTitle(lead)} <span css={{ color: colour.soft, fontWeight: 400 }}>[{LEAD_FORM_TYPE}]</span>
      </h3>
      <Forwarded status={lead.forwardStatus} />
      <time
        dateTime={lead.timestamp}
        css={{ marginLeft: 'auto', color: colour.soft, fontSize: type.small, fontVariantNumeric: 'tabular-nums' }}
      >
        {when}
      </time>
    </div>
    <dl
      css={{
        display: 'grid',
        gap: space.snug,
        margin: `${space.snug} 0 ${space.base}`,
        gridTemplateColumns: '1fr 1fr',
        [from.large]: { gridTemplateColumns: '1.4fr 1fr 1fr 1fr' },
      }}
    >
      <Detail name="Email" value={lead.email} />
      <Detail name="Phone" value={lead.phone} />
      <Detail name="Source" value={lead.leadSource} />
      <Detail name="Company" value={leadCompany(lead)} />
    </dl>
    <Request lead={lead} />
    <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
      <Button look="quiet" onClick={() => copyLead(lead)}>
        {isWebsiteInfo(lead) ? 'Copy AI Prompt' : 'Copy Email'}
      </Button>
      <Button look="quiet" onClick={() => copyLeadData(lead)}>
        Copy Data
      </Button>
    </div>
  </article>
)
