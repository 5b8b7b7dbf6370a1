import { useState } from 'react'
import { Link } from 'react-router'
import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { useNow } from '../../../ui/now.ts'
import { colour, space, type } from '../../../ui/theme.ts'
import { tipAbove, tipped } from '../../../ui/tooltip.ts'
import { useColleagues } from '../../account/colleagues.ts'
import { momentOf, shortMomentOf } from '../../day.ts'
import { ANSWER_PANEL } from '../address.ts'
import { LASTING, undoWithToast } from '../change/undo-with-toast.ts'
import { undoChange } from '../lead.ts'
import { leadTitle } from '../list/groups.ts'
import { entryInWords } from '../shown/labels.ts'
import { hasAnswers } from '../shown/lead-message.tsx'
import { LongText } from '../shown/long-text.tsx'
import { MessageLine } from '../shown/message-line.tsx'
import { PlainLink } from '../shown/plain-link.tsx'
import { bubble, Request } from './bubble.tsx'
import { FIRST_ENTRIES } from './first-entries.ts'
import { focusPanel } from './panel.tsx'

/** A reply to a lead that was merged is undone on the lead that stays, which has the status. */
const ANSWERS: readonly string[] = [
  'answer_email',
  'whatsapp',
  'call',
  'call_unanswered',
] satisfies TimelineEntry['kind'][]

/** The label of the button that undoes an entry, and the explanation of its effect if staff could misunderstand it. */
type Way = { action: string; hint?: string }

/** A sent message cannot be undone: only whether it counts as a reply. */
const WAYS: Partial<Record<TimelineEntry['kind'], Way>> = {
  merged: { action: 'Unmerge' },
  questionnaire: {
    action: 'Unmerge',
    hint: 'Use this if it does not belong to the contract. It becomes a lead of its own.',
  },
  answer_email: {
    action: 'Not an answer',
    hint: 'Use this if it was not a real reply. It takes back the changes to this lead. The email stays sent.',
  },
  chat_answer: {
    action: 'Not an answer',
    hint: 'Use this if it was not a real reply. It undoes the changes to this lead. The chat does not change.',
  },
  answer_failed: {
    action: 'It did arrive',
    hint: 'Use this only if you know that they have it. The lead then counts as answered.',
  },
}

/** An email that failed no longer counts as a reply. */
const DISOWN: Way = { action: 'Undo', hint: 'It undoes the assignment since this email.' }

/** The emails that reached no inbox by the latest entry about them. */
const failedEmails = (timeline: readonly TimelineEntry[]): ReadonlySet<unknown> => {
  const failed = new Set<unknown>()
  for (const { kind, data, isUndone } of timeline) {
    if (kind === 'answer_failed' && !isUndone) failed.add(data.answerId)
    if (kind === 'answer_arrived' && !isUndone) failed.delete(data.answerId)
  }
  return failed
}

const hasSetOwner = ({ data: { ownerId, undone } }: TimelineEntry) =>
  ownerId !== undefined && !(Array.isArray(undone) && undone.includes('ownerId'))

/** The way to undo an entry; undefined if nothing of it can be undone. */
const wayBackOf = (entry: TimelineEntry, failed: ReadonlySet<unknown>): Way | undefined => {
  if (!entry.isUndoable) return undefined
  if (failed.has(entry.id)) return hasSetOwner(entry) ? DISOWN : undefined
  return WAYS[entry.kind] ?? { action: 'Undo' }
}

/** No taller than its line, except for a thumb. */
const small = { '@media (pointer: fine)': { '&&': { minHeight: '1.5rem', paddingBlock: 0 } } } as const

const Undo = (props: { entry: TimelineEntry; way: Way; leadId: string; name: string; onUndone: () => void }) => {
  const { entry, way, leadId, name, onUndone } = props
  const { action, hint } = way
  const [isUndoing, setUndoing] = useState(false)
  const undo = async () => {
    if (isUndoing) return
    setUndoing(true)
    await undoWithToast(async () => {
      await undoChange(ANSWERS.includes(entry.kind) ? leadId : (entry.leadId ?? ''), entry.id)
      focusPanel(ANSWER_PANEL)
    }, LASTING[entry.kind])
    setUndoing(false)
    onUndone()
  }
  return (
    <Button
      look="quiet"
      aria-disabled={isUndoing}
      aria-label={`${action}: ${name}`}
      {...(hint && tipped(hint))}
      onClick={undo}
      css={[tipAbove, { '&&': { borderColor: 'transparent', color: colour.soft } }, small]}
    >
      {action}
    </Button>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line) => (
    <p key={line} css={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      <LongText text={line} kind="note" />
    </p>
  ))

/** The lead that is shown, those that were merged into it, and the others of the timeline. */
type Leads = { leadId: string; ownIds: ReadonlySet<string>; leads: readonly Lead[] }

/** The lead of an entry, if it is another one: a telephone may be shared by people who do not know each other. */
const LeadOfEntry = ({ entry, leadId, ownIds, leads }: Leads & { entry: TimelineEntry }) => {
  if (!entry.leadId || entry.leadId === leadId) return null
  const other = leads.find(({ id }) => id === entry.leadId)
  const title = other ? leadTitle(other) : 'a lead'
  if (ownIds.has(entry.leadId)) return <span>Of the merged lead {title}</span>
  return (
    <span>
      Of another lead: <PlainLink leadId={entry.leadId}>{title}</PlainLink>
    </span>
  )
}

/** The beginning of another lead: the whole request of a merged one, but for the briefs, which are above; of others the first words. */
const FirstWords = ({ entry, leadId, ownIds, leads }: Leads & { entry: TimelineEntry }) => {
  const other = leads.find(({ id }) => id === entry.leadId)
  if (!other || other.id === leadId || !FIRST_ENTRIES.includes(entry.kind)) return null
  if (!ownIds.has(other.id)) return <MessageLine lead={other} />
  return hasAnswers(other) ? null : <Request lead={other} />
}

type Shown = Leads & { timeline: readonly TimelineEntry[]; onUndone?: () => void }

/** The name of an entry's visitor in the chat, and the emails that reached no inbox. */
type EntryContext = { visitor: unknown; failed: ReadonlySet<unknown> }

const Detail = ({ text }: { text: string }) => (
  <span css={{ whiteSpace: 'pre-wrap' }}>
    <LongText text={text} kind="note" />
  </span>
)

const row = { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: `0 ${space.tight}` } as const

/** One event: a message of staff as a bubble, a note as a card, all else in one line. */
const Entry = ({ entry, props, visitor, failed }: { entry: TimelineEntry; props: Shown } & EntryContext) => {
  const { data: colleagues } = useColleagues()
  const now = useNow()
  const { title, written, details } = entryInWords(entry, colleagues)
  const way = wayBackOf(entry, failed)
  const isNote = entry.kind === 'note' && !entry.isUndone
  const isMessage = written.length > 0
  const about = (
    <>
      <span css={{ color: entry.isUndone ? colour.soft : colour.ink, fontWeight: 500 }}>
        {title}
        {entry.isUndone && (entry.kind === 'chat_answer' ? ' (undone)' : ' (removed)')}
      </span>
      {!isNote && details.map((detail) => <Detail key={detail} text={detail} />)}
      <span>
        {entry.by && `${entry.by}, `}
        <time dateTime={entry.timestamp}>{shortMomentOf(entry.timestamp, now)}</time>
      </span>
      <LeadOfEntry entry={entry} {...props} />
      {entry.sessionId && (
        <Link to={`/admin-chat?session=${entry.sessionId}`}>
          {['Open the chat', visitor].filter(Boolean).join(' with ')}
        </Link>
      )}
      {way && props.onUndone && props.ownIds.has(entry.leadId ?? '') && (
        <Undo
          entry={entry}
          way={way}
          leadId={props.leadId}
          name={`${title}, ${momentOf(entry.timestamp)}`}
          onUndone={props.onUndone}
        />
      )}
    </>
  )
  return (
    <li
      css={[
        { display: 'grid', gap: space.hair },
        isMessage && bubble('staff'),
        isNote && [bubble('staff'), { background: colour.clayWash }],
        entry.isUndone && { color: colour.soft },
      ]}
    >
      <Lines lines={isNote ? details : written} />
      <div css={[row, { color: colour.soft, fontSize: type.small, overflowWrap: 'anywhere' }]}>{about}</div>
      <FirstWords entry={entry} {...props} />
    </li>
  )
}

/** All events of a lead's person, oldest first. Events of another lead are undone there; without `onUndone` none are. */
export const Timeline = (props: Shown) => {
  const visitors = new Map(
    props.timeline.flatMap(({ kind, sessionId, data }) => (kind === 'chat' ? [[sessionId, data.visitorName]] : [])),
  )
  const failed = failedEmails(props.timeline)
  return (
    <ol aria-label="Timeline" css={{ display: 'grid', gap: space.tight }}>
      {props.timeline.map((entry) => (
        <Entry key={entry.id} entry={entry} props={props} visitor={visitors.get(entry.sessionId)} failed={failed} />
      ))}
    </ol>
  )
}
