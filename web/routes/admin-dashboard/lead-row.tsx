import type { ChangeEvent } from 'react'
import { isContract } from '../../../events/lead/kind.ts'
import { sourceInWords } from '../../../events/lead/labels.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { useOwnerName } from '../../staff/colleagues.ts'
import { receivedInShort, receivedTime } from '../../staff/leads/clock/received-in-words.ts'
import { BriefMissedCall, BriefNextAction, FailedEmail, ReplyPromise } from '../../staff/leads/clock/reply-promise.tsx'
import { leadTitle } from '../../staff/leads/list/groups.ts'
import { ContractChip } from '../../staff/leads/shown/contract-chips.tsx'
import { DraftIcons } from '../../staff/leads/shown/lead-drafts.tsx'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { firstWords } from '../../staff/leads/shown/message-line.tsx'
import { StatusChip } from '../../staff/leads/shown/status.tsx'
import { rowId } from '../../staff/list-keys.ts'
import { Face } from '../../ui/face.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'
import { tipAbove, tipped } from '../../ui/tooltip.ts'

/** The width of the list from which a row has room for a name and its chips side by side. */
const ONE_LINE = '@container (min-width: 40rem)'

/** The width from which it has room for the owner and the time too. */
const ROOMY = '@container (min-width: 56rem)'

/** The width from which it has room for all columns, with a whole name next to the chip of a contract. */
const WIDE = '@container (min-width: 68rem)'

const OWNER_PX = 24

/** Elements that are scrolled to stay above those that cover the foot of the list. */
const scrollMargins = { scrollMargin: `${space.base} 0 calc(var(--preview) + var(--picked) + ${space.base})` } as const

const cut = { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const
const name = {
  display: 'flex',
  flexBasis: '100%',
  alignItems: 'center',
  gap: space.tight,
  order: -1,
  minWidth: 0,
  fontSize: '0.9375rem',
  fontWeight: 600,
  [ONE_LINE]: { order: 0 },
} as const
const detail = { ...cut, display: 'none', color: colour.soft, [ROOMY]: { display: 'block' } }
const source = { ...cut, display: 'none', color: colour.soft, [WIDE]: { display: 'block' } }

const words = { ...detail, flex: '1 1 0', fontSize: type.small, fontWeight: 400 } as const
const narrowOnly = { [WIDE]: { display: 'none' } } as const

/**
 * The initials of an owner if there is no room for the name: at the end of a phone's row, else before the reply time.
 */
const brief = {
  order: 1,
  width: OWNER_PX,
  marginLeft: 'auto',
  [ONE_LINE]: { order: 0, marginLeft: 0 },
  [ROOMY]: { display: 'none' },
} as const

const OwnerFace = ({ name }: { name: string | undefined }) => (
  <span css={[tipAbove, brief]} {...(name && { role: 'img', 'data-tip': name, 'aria-label': `Owner: ${name}` })}>
    {name && <Face name={name} photo={null} sizePx={OWNER_PX} />}
  </span>
)

/** No row has room for more, in UTF-16 code units. */
const MAX_BEGINNING = 120

/** The source of the lead, if it has no column, and the beginning of its message: as much as fits next to the name. */
const Beginning = ({ lead }: { lead: Lead }) => {
  const begins = firstWords(lead, MAX_BEGINNING)
  return (
    <span css={words}>
      <span css={narrowOnly}>{sourceInWords(lead.leadSource)}</span>
      {/* a row is read out in a few words: the preview has these */}
      <span aria-hidden>
        {begins && <span css={narrowOnly}> · </span>}
        <bdi>{begins}</bdi>
      </span>
    </span>
  )
}

const Name = ({ lead }: { lead: Lead }) => (
  <span css={name}>
    <span css={cut}>
      <LeadName lead={lead} />
    </span>
    <ContractChip lead={lead} />
    <FailedEmail lead={lead} />
    <DraftIcons lead={lead} isInButton />
    <BriefMissedCall lead={lead} isShort={isContract(lead.leadSource)} />
    <Beginning lead={lead} />
  </span>
)

/** The look of the checkbox that selects leads. */
export const tick = { width: '1.125rem', height: '1.125rem', accentColor: colour.accent } as const

/** A row's fields, side by side if there is room. */
const fields = {
  display: 'flex',
  flex: 1,
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `${space.hair} ${space.tight}`,
  minWidth: 0,
  ...scrollMargins,
  padding: `${space.tight} ${space.snug} ${space.tight} 0`,
  border: 0,
  borderRadius: radius.control,
  background: 'transparent',
  color: colour.ink,
  fontSize: type.small,
  textAlign: 'left',
  ':hover': { background: colour.paper },
  [ONE_LINE]: {
    display: 'grid',
    gridTemplateColumns: `5.25rem minmax(0, 1fr) ${OWNER_PX}px auto`,
    gap: space.tight,
    paddingBlock: 0,
  },
  [ROOMY]: { gridTemplateColumns: '5.5rem minmax(0, 1fr) 8rem 11.5rem 3.25rem', gap: space.snug },
  [WIDE]: { gridTemplateColumns: '5.5rem minmax(0, 1fr) 10rem 8rem 11.5rem 3.25rem' },
} as const

/**
 * A lead in one line of 44 px, on a phone with the name above the rest; a click, or Enter, opens a preview next to the
 * list.
 */
export const LeadRow = (props: {
  lead: Lead
  isPeeked: boolean
  isPicked: boolean
  onPeek: () => void
  onPick: (event: ChangeEvent<HTMLInputElement>) => void
}) => {
  const { lead, isPeeked, isPicked, onPeek, onPick } = props
  const owner = useOwnerName(lead.ownerId)
  const title = leadTitle(lead)
  return (
    <div
      data-row=""
      css={{
        display: 'flex',
        alignItems: 'stretch',
        minHeight: '2.75rem',
        borderBottom: `1px solid ${colour.line}`,
        // the chips have backgrounds of their own, which must differ from it
        background: isPeeked ? colour.paper : colour.sheet,
        ...(isPeeked && { boxShadow: `inset 3px 0 ${colour.accent}` }),
      }}
    >
      <label
        // with Shift the browser would select the text in between
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        css={{ display: 'flex', alignItems: 'center', padding: `0 ${space.snug}`, cursor: 'pointer' }}
      >
        <input
          type="checkbox"
          aria-label={`Select ${title}`}
          checked={isPicked}
          onChange={onPick}
          css={[tick, scrollMargins]}
        />
      </label>
      <button type="button" id={rowId(lead.id)} aria-expanded={isPeeked} onClick={onPeek} css={fields}>
        <span>
          <StatusChip status={lead.followUpStatus} />
        </span>
        <Name lead={lead} />
        <span css={source}>{sourceInWords(lead.leadSource)}</span>
        <span css={detail}>{owner ?? 'Unassigned'}</span>
        <OwnerFace name={owner} />
        <span>
          {lead.followUpStatus === 'new' ? <ReplyPromise lead={lead} /> : <BriefNextAction day={lead.nextActionDate} />}
        </span>
        <time
          dateTime={lead.timestamp}
          {...tipped(receivedInShort(lead))}
          css={[tipAbove, detail, { textAlign: 'right' }]}
        >
          {receivedTime(lead)}
        </time>
      </button>
    </div>
  )
}
