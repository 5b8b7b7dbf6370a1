import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { colour, radius, space, type } from '../../../ui/theme.ts'
import { copyText } from '../../copy-text.ts'
import { copyLead } from '../contact/copy-buttons.tsx'
import { answersOf, hasAnswers, Words } from '../shown/lead-message.tsx'
import { Received } from './received.tsx'

/** The id of the heading of a request in the thread. */
export const requestId = (leadId: string) => `request-${leadId}`

/** A message in the thread: the visitor's at the left, the staff's at the right. */
export const bubble = (from: 'visitor' | 'staff'): CSSObject => ({
  display: 'grid',
  gap: space.tight,
  width: 'fit-content',
  minWidth: 'min(100%, 16rem)',
  maxWidth: 'min(100%, 44rem)',
  padding: `${space.tight} ${space.snug}`,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.card,
  background: from === 'visitor' ? colour.sheet : colour.accentWash,
  ...(from === 'staff' && { marginLeft: 'auto' }),
})

const Bubble = ({
  id,
  title,
  action,
  isRegion,
  children,
}: Record<'title' | 'id', string> & Record<'action' | 'children', ReactNode> & { isRegion: boolean }) => {
  const Frame = isRegion ? 'section' : 'div'
  return (
    <Frame {...(isRegion && { 'aria-labelledby': id })} css={[bubble('visitor'), action ? { width: '100%' } : {}]}>
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: `${space.hair} ${space.base}` }}>
        <h2 id={id} css={{ marginRight: 'auto', fontSize: type.small, fontWeight: 600 }}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </Frame>
  )
}

/** Several answers in a line. */
const inColumns = { '& > dl': { gridTemplateColumns: 'repeat(auto-fill, minmax(min(16rem, 100%), 1fr))' } } as const

const copyAnswers = (lead: Lead) => {
  const lines = answersOf(lead).map(([question, answer]) => `${question}: ${answer}`)
  return copyText(lines.join('\n'), 'Answers copied')
}

/**
 * A visitor's request, as the message with which a thread begins. For a questionnaire it is the brief of their website,
 * with the prompt for a site generator. Only the first of each is a region: they have one name.
 */
export const Request = ({ lead, isRegion = false }: { lead: Lead; isRegion?: boolean }) =>
  hasAnswers(lead) ? (
    <Bubble
      id={requestId(lead.id)}
      title="Brief"
      isRegion={isRegion}
      action={
        <span css={{ display: 'flex', flexWrap: 'wrap', gap: space.hair }}>
          <Button look="quiet" onClick={() => copyLead(lead)}>
            Copy prompt
          </Button>
          <Button look="quiet" onClick={() => copyAnswers(lead)}>
            Copy answers
          </Button>
        </span>
      }
    >
      <div css={inColumns}>
        <Words lead={lead} />
      </div>
      <Received lead={lead} />
    </Bubble>
  ) : (
    <Bubble id={requestId(lead.id)} title="Message" action={null} isRegion={isRegion}>
      {lead.message ? <Words lead={lead} /> : <p css={{ color: colour.soft }}>No message</p>}
      <Received lead={lead} />
    </Bubble>
  )
