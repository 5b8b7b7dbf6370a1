import { useState } from 'react'
import { Link } from 'react-router'
import type { TimelineEntry } from '../../../events/wire/person.ts'
import { useColleagues } from '../../staff/colleagues.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { momentOf } from '../../staff/leads/day.ts'
import { entryInWords } from '../../staff/leads/labels.ts'
import { undoChange } from '../../staff/leads/lead.ts'
import { reasonOf } from '../../staff/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { LongText } from './long-text.tsx'
import { focusPanel } from './panel.tsx'

const Undo = ({ entry, what, onUndone }: { entry: TimelineEntry; what: string; onUndone: () => void }) => {
  const [isUndoing, setUndoing] = useState(false)
  const action = entry.kind === 'merged' ? 'Unmerge' : 'Undo'
  const undo = async () => {
    if (isUndoing) return
    setUndoing(true)
    try {
      await undoChange(entry.leadId ?? '', entry.id)
      focusPanel('timeline')
      toast({ title: 'Undone', variant: 'default' })
    } catch (error) {
      console.warn('Nothing was undone:', error)
      toast({ title: 'Couldn’t undo', description: reasonOf(error), variant: 'destructive' })
    } finally {
      setUndoing(false)
    }
    onUndone()
  }
  return (
    <Button look="quiet" aria-disabled={isUndoing} aria-label={`${action}: ${what}`} onClick={undo}>
      {action}
    </Button>
  )
}

type Here = { leadId: string; merged: readonly string[] }

const Elsewhere = ({ entry, leadId, merged }: Here & { entry: TimelineEntry }) => {
  if (entry.sessionId) return <Link to={`/admin-chat?session=${entry.sessionId}`}>Open the chat</Link>
  if (entry.leadId && entry.leadId !== leadId && !merged.includes(entry.leadId))
    return <Link to={leadAddress(entry.leadId)}>View lead</Link>
  return null
}

/**
 * All that happened with the person behind a lead, newest first: what, who, when. `merged` are the leads that have gone into
 * others. Without `onUndone` all of it stays.
 */
export const Timeline = (props: Here & { timeline: readonly TimelineEntry[]; onUndone?: () => void }) => {
  const { data: colleagues } = useColleagues()
  return (
    <ol aria-label="Timeline">
      {props.timeline.toReversed().map((entry) => {
        const { title, details } = entryInWords(entry, colleagues)
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
                  {entry.isUndone && ' (removed)'}
                </p>
                {details.map((detail) => (
                  <p key={detail} css={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                    <LongText text={detail} what="note" />
                  </p>
                ))}
                <p css={{ color: colour.soft, fontSize: type.small }}>
                  {entry.by && `${entry.by}, `}
                  <time dateTime={entry.timestamp}>{momentOf(entry.timestamp)}</time>
                </p>
                <p css={{ fontSize: type.small }}>
                  <Elsewhere entry={entry} leadId={props.leadId} merged={props.merged} />
                </p>
              </div>
              {entry.isUndoable && props.onUndone && (
                <Undo entry={entry} what={`${title}, ${momentOf(entry.timestamp)}`} onUndone={props.onUndone} />
              )}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
