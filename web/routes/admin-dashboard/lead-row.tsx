import type { CSSObject } from '@emotion/react'
import { memo } from 'react'
import { isContract, kindOfLead } from '../../../events/lead/form/kind.ts'
import { PACKAGE_NAMES } from '../../../events/lead/labels.ts'
import { namesOf } from '../../../events/lead/name.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import type { Due } from '../../staff/leads/clock/due.ts'
import { receivedInShort, receivedTime } from '../../staff/leads/clock/received-in-words.ts'
import { BriefMissedCall, FailedEmail } from '../../staff/leads/clock/reply-promise.tsx'
import { DraftIcons } from '../../staff/leads/shown/lead-drafts.tsx'
import { firstWords } from '../../staff/leads/shown/message-line.tsx'
import { StatusDot } from '../../staff/leads/shown/status-dot.tsx'
import { rowId } from '../../staff/list/list-keys.ts'
import { DocumentIcon } from '../../ui/icons.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { colour, radius, space, type, unseen } from '../../ui/theme.ts'
import { tipAbove, tipped } from '../../ui/tooltip.ts'

/** The width of the list from which a row is one line, and from which it has all columns. */
export const TWO_LINES = '@container (max-width: 43.99rem)'
export const ONE_LINE = '@container (min-width: 44rem)'
export const ALL_COLUMNS = '@container (min-width: 58rem)'

export const ROW_HEIGHT = '2.25rem'
const TALL_ROW = '3.5rem'

/** The columns of a row after its checkbox: status, name, message, package, assigned, due, time. */
export const COLUMN_WIDTHS = {
  narrow: '1rem minmax(0, 1fr) 1.5rem 9rem',
  all: '1rem minmax(8rem, 2fr) minmax(0, 3fr) 8rem 1.5rem 9rem 3rem',
}

const cut = { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const

/** The look of the checkbox that selects leads. */
export const tick = { width: '1rem', height: '1rem', accentColor: colour.accent } as const

/**
 * The look of all rows, set once on their list: a thousand of them render without styles of their own, and the browser
 * draws only those in sight.
 */
export const rowsLook: CSSObject = {
  '& [data-row]': {
    display: 'flex',
    alignItems: 'stretch',
    height: TALL_ROW,
    borderBottom: `1px solid ${colour.line}`,
    background: colour.sheet,
    scrollMargin: `calc(var(--top, 0px) + 4rem) 0 calc(var(--preview) + var(--picked) + ${space.base})`,
    [ONE_LINE]: { height: ROW_HEIGHT },
  },
  // The browser lays out and draws only what is near the window: the days, or without days the rows. Each such part costs
  // a little at every step of scrolling, and cuts off its tooltips.
  '& [data-rows]': {
    contentVisibility: 'auto',
    containIntrinsicBlockSize: `auto calc(var(--rows) * ${TALL_ROW})`,
    [ONE_LINE]: { containIntrinsicBlockSize: `auto calc(var(--rows) * ${ROW_HEIGHT})` },
  },
  '& ul:not([data-rows]) > [data-row]': {
    contentVisibility: 'auto',
    containIntrinsicBlockSize: `auto ${TALL_ROW}`,
    [ONE_LINE]: { containIntrinsicBlockSize: `auto ${ROW_HEIGHT}` },
  },
  '& [data-rows]:is(:hover, :focus-within), & ul:not([data-rows]) > [data-row]:is(:hover, :focus-within)': {
    contentVisibility: 'visible',
  },
  '& [data-row]:is(:hover, :focus-within) [data-tip]': tipAbove,
  '& [data-row]:hover': { background: colour.sunk },
  '& [data-row][data-open]': { background: colour.accentWash },
  '& [data-row] > label': { display: 'flex', alignItems: 'center', padding: `0 ${space.tight}`, cursor: 'pointer' },
  '& [data-row] input': tick,
  '& [data-row] > button': {
    display: 'grid',
    flex: 1,
    gridTemplateColumns: '1rem minmax(0, 1fr) auto auto',
    gridTemplateAreas: '"status name face due" ". message message message"',
    alignItems: 'center',
    gap: `0 ${space.tight}`,
    minWidth: 0,
    padding: `${space.hair} ${space.tight} ${space.hair} 0`,
    border: 0,
    borderRadius: radius.control,
    background: 'none',
    color: colour.ink,
    fontSize: type.small,
    lineHeight: '1.25rem',
    textAlign: 'left',
    cursor: 'pointer',
    ':focus-visible': { outlineOffset: -2 },
    [ONE_LINE]: {
      gridTemplateColumns: COLUMN_WIDTHS.narrow,
      gridTemplateAreas: '"status name face due"',
      gap: space.snug,
      padding: `0 ${space.tight} 0 0`,
    },
    [ALL_COLUMNS]: {
      gridTemplateColumns: COLUMN_WIDTHS.all,
      gridTemplateAreas: '"status name message package face due time"',
    },
  },
  '& [data-cell=name]': { display: 'flex', alignItems: 'center', gap: space.tight, gridArea: 'name', minWidth: 0 },
  '& [data-cell=name] > :first-of-type': { ...cut, fontWeight: 600 },
  '& [data-cell=name] small': { color: colour.soft, fontSize: 'inherit', fontWeight: 400 },
  '& [data-cell=message]': {
    ...cut,
    gridArea: 'message',
    color: colour.soft,
    [ONE_LINE]: { display: 'none' },
    [ALL_COLUMNS]: { display: 'block' },
  },
  // rows with all columns have the package in one of its own
  '& [data-signed]': { color: colour.ink, [ALL_COLUMNS]: { display: 'none' } },
  '& [data-cell=package]': {
    ...cut,
    gridArea: 'package',
    display: 'none',
    alignItems: 'center',
    gap: space.hair,
    [ALL_COLUMNS]: { display: 'flex' },
  },
  '& [data-cell=package] svg': { color: colour.good },
  '& [data-cell=face]': { gridArea: 'face', justifySelf: 'end' },
  '& [data-cell=face] > span': {
    display: 'grid',
    placeItems: 'center',
    width: '1.25rem',
    height: '1.25rem',
    borderRadius: radius.round,
    background: colour.accentWash,
    boxShadow: `inset 0 0 0 1px ${colour.edge}`,
    color: colour.accentDeep,
    fontSize: '0.5625rem',
    fontWeight: 700,
  },
  '& [data-cell=due], & [data-cell=time]': {
    gridArea: 'due',
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
  },
  '& [data-cell=due]': { color: colour.soft },
  '& [data-tone=soon]': { color: colour.clay },
  '& [data-tone=late]': { color: colour.bad, fontWeight: 600 },
  '& [data-cell=time]': {
    display: 'none',
    gridArea: 'time',
    color: colour.soft,
    textAlign: 'right',
    [ALL_COLUMNS]: { display: 'block' },
  },
}

/** No row has room for more, in UTF-16 code units. */
const MAX_BEGINNING = 160

/** The package that a lead asks for, in one word; empty if it names none. */
const packageOf = (lead: Lead) => {
  const { package: wanted } = kindOfLead(lead)
  return wanted === 'none' ? '' : PACKAGE_NAMES[wanted]
}

/** The package that a lead asks for; a signed contract has a mark before it. */
const PackageCell = ({ lead }: { lead: Lead }) => (
  <span data-cell="package">
    {isContract(lead.leadSource) && (
      <span data-tip="Contract signed">
        <DocumentIcon />
        <span css={unseen}>Contract signed </span>
      </span>
    )}
    {packageOf(lead)}
  </span>
)

/** The list around the rows handles their changes. */
const handledByList = () => {}

type RowProps = {
  lead: Lead
  owner: string | undefined
  due: string | undefined
  tone: Due['tone'] | undefined
  hasDraft: boolean
  isPeeked: boolean
  isPicked: boolean
}

/**
 * A lead in one line of 36 px, on a phone in two of 56 px. Enter or a press opens it in the panel; the list around it
 * handles presses (`data-row`).
 */
export const LeadRow = memo(({ lead, owner, due, tone, hasDraft, isPeeked, isPicked }: RowProps) => {
  const { person, company } = namesOf(lead)
  return (
    <li data-row={lead.id} {...(isPeeked && { 'data-open': '' })}>
      <label>
        <input type="checkbox" aria-label={`Select ${person}`} checked={isPicked} onChange={handledByList} />
      </label>
      <button type="button" id={rowId(lead.id)} aria-expanded={isPeeked}>
        <StatusDot status={lead.followUpStatus} />
        <span data-cell="name">
          <span>
            {person}
            {company && <small>, {company}</small>}
          </span>
          <FailedEmail lead={lead} />
          {hasDraft && <DraftIcons lead={lead} isInButton />}
          {lead.unansweredCalls && <BriefMissedCall lead={lead} isShort />}
        </span>
        {/* a row is read out in a few words: the panel has the message */}
        <span data-cell="message" aria-hidden>
          {isContract(lead.leadSource) && (
            <span data-signed="">{['Signed contract', packageOf(lead)].filter(Boolean).join(' · ')} </span>
          )}
          <bdi>{firstWords(lead, MAX_BEGINNING)}</bdi>
        </span>
        <PackageCell lead={lead} />
        <span data-cell="face">
          {owner && (
            <span role="img" aria-label={`Assigned to ${owner}`} data-tip={owner}>
              {initialsOf(owner)}
            </span>
          )}
        </span>
        <span data-cell="due" data-tone={tone}>
          {due}
        </span>
        <time data-cell="time" dateTime={lead.timestamp} {...tipped(receivedInShort(lead))}>
          {receivedTime(lead)}
        </time>
      </button>
    </li>
  )
})
