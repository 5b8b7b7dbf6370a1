import { referenceOf } from '../../../events/base/reference.ts'
import type { Erasable } from '../../../events/lead/person/person-wire.ts'
import { dayInShort, dayOf } from '../../staff/day.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { counted } from '../../staff/leads/shown/labels.ts'
import { colour, radius, space, type } from '../../ui/theme.ts'
import { type ErasableLead, titleOf } from './erase-choice.ts'

/** Links to another lead, in a tab of its own, so that the ticks on this page stay. */
const Reference = ({ lead: { id, isOwn } }: { lead: ErasableLead }) => {
  const text = <span css={{ whiteSpace: 'nowrap' }}>{referenceOf(id)}</span>
  if (isOwn) return text
  return (
    <a href={leadAddress(id)} target="_blank" rel="noreferrer">
      {text}
    </a>
  )
}

const Choice = (props: { lead: ErasableLead; isHeld: boolean; onTick: (id: string, isIncluded: boolean) => void }) => {
  const { lead, isHeld, onTick } = props
  const { id, email, phone, timestamp, reason, isIncluded, isOwn, follows } = lead
  return (
    <label css={{ display: 'flex', alignItems: 'start', gap: space.snug, minHeight: '2.75rem', cursor: 'pointer' }}>
      <input
        type="checkbox"
        checked={isIncluded}
        disabled={isHeld || isOwn || follows !== id}
        onChange={({ target }) => onTick(id, target.checked)}
        css={{ flex: 'none', width: '1.25rem', height: '1.25rem', margin: '0.125rem 0 0', accentColor: colour.bad }}
      />
      <span css={{ display: 'grid', minWidth: 0 }}>
        <strong css={{ fontWeight: 600 }}>{titleOf(lead)}</strong>
        <span>
          {reason && `${reason}. `}
          <span css={{ color: colour.soft }}>
            {dayInShort(dayOf(timestamp))}, <Reference lead={lead} />
          </span>
        </span>
        <span css={{ color: colour.soft }}>
          {email}
          {email && phone && ', '}
          {phone && <span css={{ whiteSpace: 'nowrap' }}>{phone}</span>}
        </span>
      </span>
    </label>
  )
}

/**
 * The leads that will be erased: no person may be erased unseen because a stranger's lead links them with this one, or
 * because they share a telephone.
 */
export const EraseList = (props: {
  leads: readonly ErasableLead[]
  goingCount: number
  /** The chats that are erased with the ticked leads. */
  chats: Erasable['chats']
  /** No choice can be changed any longer. */
  isHeld: boolean
  onTick: (leadId: string, isIncluded: boolean) => void
}) => {
  const { leads, chats, goingCount, isHeld, onTick } = props
  return (
    <div css={{ display: 'grid', gap: space.tight }}>
      <p role="status">
        This will erase {counted(goingCount, 'lead')} and {counted(chats.length, 'chat')}.
      </p>
      {leads.some(({ isOwn }) => !isOwn) && (
        <p css={{ color: colour.soft, fontSize: type.small }}>
          Tick only this person's leads. Others may use the same phone or email.
        </p>
      )}
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by the keyboard
        tabIndex={0}
        aria-label="Leads and chats to erase"
        css={{
          display: 'grid',
          gap: space.snug,
          maxHeight: 'min(22rem, 40dvh)',
          padding: space.snug,
          overflowY: 'auto',
          overflowWrap: 'anywhere',
          border: `1px solid ${colour.line}`,
          borderRadius: radius.control,
          fontSize: type.small,
          lineHeight: 1.4,
        }}
      >
        {leads.map((lead) => (
          <li key={lead.id}>
            <Choice lead={lead} isHeld={isHeld} onTick={onTick} />
          </li>
        ))}
        {chats.map(({ sessionId, visitorName, startTime, messages }) => (
          <li key={sessionId}>
            Chat with {visitorName}, {dayInShort(dayOf(startTime))}, {counted(messages, 'message')}
          </li>
        ))}
      </ul>
    </div>
  )
}
