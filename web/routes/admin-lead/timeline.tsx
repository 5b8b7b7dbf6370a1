import { useId, useState } from 'react'
import { Link } from 'react-router'
import type { TimelineEntry } from '../../../events/lead/person-wire.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { useColleagues } from '../../staff/colleagues.ts'
import { momentOf } from '../../staff/day.ts'
import { LASTING, undoWithToast } from '../../staff/leads/change/undo-with-toast.ts'
import { undoChange } from '../../staff/leads/lead.ts'
import { leadTitle } from '../../staff/leads/list/groups.ts'
import { entryInWords } from '../../staff/leads/shown/labels.ts'
import { LongText } from '../../staff/leads/shown/long-text.tsx'
import { MessageLine } from '../../staff/leads/shown/message-line.tsx'
import { PlainLink } from '../../staff/leads/shown/plain-link.tsx'
import { Button } from '../../ui/button.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'
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
const DISOWN: Way = { action: 'Undo', hint: 'It undoes the change of owner since this email.' }

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

/** On a line of its own below the entry: next to it there is no room for a hint. */
const hinted = {
  display: 'flex',
  flex: '1 1 100%',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `${space.hair} ${space.snug}`,
  marginTop: space.tight,
} as const

const Undo = (props: { entry: TimelineEntry; way: Way; leadId: string; name: string; onUndone: () => void }) => {
  const { entry, way, leadId, name, onUndone } = props
  const { action, hint } = way
  const [isUndoing, setUndoing] = useState(false)
  const undo = async () => {
    if (isUndoing) return
    setUndoing(true)
    await undoWithToast(async () => {
      await undoChange(ANSWERS.includes(entry.kind) ? leadId : (entry.leadId ?? ''), entry.id)
      focusPanel('timeline')
    }, LASTING[entry.kind])
    setUndoing(false)
    onUndone()
  }
  const hintId = useId()
  return (
    <div css={hint && hinted}>
      <Button
        look="quiet"
        aria-disabled={isUndoing}
        aria-label={`${action}: ${name}`}
        {...(hint && { 'aria-describedby': hintId })}
        onClick={undo}
      >
        {action}
      </Button>
      {hint && (
        <p id={hintId} css={{ flex: '1 1 14rem', color: colour.soft, fontSize: type.small }}>
          {hint}
        </p>
      )}
    </div>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line) => (
    <p key={line} css={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      <LongText text={line} kind="note" />
    </p>
  ))

/** Sets the text that was sent to the person apart from the text about it. */
const quote = {
  display: 'grid',
  gap: space.tight,
  margin: `${space.tight} 0`,
  padding: `${space.tight} ${space.snug}`,
  borderLeft: `3px solid ${colour.edge}`,
  background: colour.paper,
} as const

/** The lead that is shown, those that were merged into it, and the others of the timeline. */
type Leads = { leadId: string; ownIds: ReadonlySet<string>; leads: readonly Lead[] }

/** The lead of an entry, if it is another one: a telephone may be shared by people who do not know each other. */
const LeadOfEntry = ({ entry, leadId, ownIds, leads }: Leads & { entry: TimelineEntry }) => {
  if (!entry.leadId || entry.leadId === leadId) return null
  const other = leads.find(({ id }) => id === entry.leadId)
  const title = other ? leadTitle(other) : 'a lead'
  if (ownIds.has(entry.leadId))
    return <p css={{ color: colour.soft, fontSize: type.small }}>Of the merged lead {title}</p>
  return (
    <p css={{ fontSize: type.small, overflowWrap: 'anywhere' }}>
      Of another lead: <PlainLink leadId={entry.leadId}>{title}</PlainLink>
    </p>
  )
}

/** The first words of another lead at its beginning; those of the lead itself are at the top of its page. */
const FirstWords = ({ entry, leadId, leads }: Leads & { entry: TimelineEntry }) => {
  const other = leads.find(({ id }) => id === entry.leadId)
  return other && other.id !== leadId && FIRST_ENTRIES.includes(entry.kind) ? <MessageLine lead={other} /> : null
}

/**
 * All events of a lead's person, newest first: the change, who made it, when, and of which lead. Events of another lead
 * are undone there; without `onUndone` none are.
 */
export const Timeline = (props: Leads & { timeline: readonly TimelineEntry[]; onUndone?: () => void }) => {
  const { data: colleagues } = useColleagues()
  const visitors = new Map(
    props.timeline.flatMap(({ kind, sessionId, data }) => (kind === 'chat' ? [[sessionId, data.visitorName]] : [])),
  )
  const failed = failedEmails(props.timeline)
  return (
    <ol aria-label="Timeline">
      {props.timeline.toReversed().map((entry) => {
        const { title, written, details } = entryInWords(entry, colleagues)
        const way = wayBackOf(entry, failed)
        return (
          <li
            key={entry.id}
            css={{
              position: 'relative',
              padding: `0 0 ${space.roomy} ${space.roomy}`,
              borderLeft: `2px solid ${colour.line}`,
              marginLeft: '0.3125rem',
              ':last-of-type': { borderColor: 'transparent', paddingBottom: 0 },
              '::before': {
                content: '""',
                position: 'absolute',
                left: 'calc(-0.3125rem - 1px)',
                top: '0.4375rem',
                width: '0.625rem',
                height: '0.625rem',
                borderRadius: radius.round,
                background: entry.by ? colour.accent : colour.ink,
              },
            }}
          >
            <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'start', gap: `${space.hair} ${space.snug}` }}>
              <div css={{ flex: '1 1 12rem', minWidth: 0, ...(entry.isUndone && { color: colour.soft }) }}>
                <p css={{ fontWeight: 600 }}>
                  {title}
                  {entry.isUndone && (entry.kind === 'chat_answer' ? ' (undone)' : ' (removed)')}
                </p>
                {written.length > 0 && (
                  <blockquote css={quote}>
                    <Lines lines={written} />
                  </blockquote>
                )}
                <Lines lines={details} />
                <FirstWords entry={entry} {...props} />
                <p css={{ color: colour.soft, fontSize: type.small }}>
                  {entry.by && `${entry.by}, `}
                  <time dateTime={entry.timestamp}>{momentOf(entry.timestamp)}</time>
                </p>
                <LeadOfEntry entry={entry} {...props} />
                {entry.sessionId && (
                  <p css={{ fontSize: type.small, overflowWrap: 'anywhere' }}>
                    <Link to={`/admin-chat?session=${entry.sessionId}`}>
                      {['Open the chat', visitors.get(entry.sessionId)].filter(Boolean).join(' with ')}
                    </Link>
                  </p>
                )}
              </div>
              {way && props.onUndone && props.ownIds.has(entry.leadId ?? '') && (
                <Undo
                  entry={entry}
                  way={way}
                  leadId={props.leadId}
                  name={`${title}, ${momentOf(entry.timestamp)}`}
                  onUndone={props.onUndone}
                />
              )}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
