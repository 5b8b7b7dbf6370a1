import { useState } from 'react'
import { inNumbers, inRand } from '../../../../events/base/amount.ts'
import type { FollowUpStatus } from '../../../../events/lead/follow-up/follow-up.ts'
import { STATUS_NAMES } from '../../../../events/lead/labels.ts'
import { STAGE_SHARES, type Stage } from '../../../../events/lead/screens/pipeline.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { useColleagues } from '../../../staff/account/colleagues.ts'
import { showsValueField } from '../../../staff/leads/conversation/use-follow-up.ts'
import { Button } from '../../../ui/button.tsx'
import { colour, radius, space, type } from '../../../ui/theme.ts'
import { BoardCard, LEAD_TYPE } from './card.tsx'
import type { BoardStage } from './stages.ts'

/** The id of a stage's title, which takes the focus. */
export const stageTitleId = (status: FollowUpStatus) => `stage-${status}`

const worth = ({ status, value, valued, leads }: Stage) => {
  if (leads === 0) return 'Nothing here'
  if (valued > 0) return `${inRand(value)}, from ${inNumbers(valued)}`
  return showsValueField(status) ? 'No values yet' : ''
}

/** The part of a stage's values that counts, if it has some or its cards ask for them. */
const counted = ({ status, valued }: Stage) => {
  const share = STAGE_SHARES[status]
  const isPart = share > 0 && share < 1
  return isPart && (valued > 0 || showsValueField(status)) ? `${share * 100}% in the forecast` : ''
}

/** A stage of the pipeline: the value of its leads, and the newest of them. A card that is dropped here moves here. */
export const StageColumn = (props: {
  stage: BoardStage
  /** How many cards it shows at most. */
  shown: number
  onMore: () => void
  onMove: (lead: Lead, status: FollowUpStatus) => void
  onDropped: (leadId: string, status: FollowUpStatus) => void
  onValue: (lead: Lead) => void
}) => {
  const { stage, shown, onMore, onMove, onDropped, onValue } = props
  const { status, leads: count, cards } = stage
  const [isOver, setOver] = useState(false)
  const { data: colleagues = [] } = useColleagues()
  const name = STATUS_NAMES[status]
  return (
    <section
      aria-labelledby={stageTitleId(status)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(LEAD_TYPE)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onDropped(event.dataTransfer.getData(LEAD_TYPE), status)
      }}
      css={{
        display: 'grid',
        alignContent: 'start',
        gap: space.snug,
        minWidth: 0,
        padding: space.snug,
        borderRadius: radius.card,
        background: colour.sunk,
        outline: isOver ? `2px solid ${colour.accent}` : 'none',
      }}
    >
      <div>
        <h2 id={stageTitleId(status)} tabIndex={-1} css={{ fontSize: type.body, outline: 'none' }}>
          {name} <span css={{ color: colour.soft, fontWeight: 400 }}>{inNumbers(count)}</span>
        </h2>
        {[worth(stage), counted(stage)].filter(Boolean).map((line) => (
          <p key={line} css={{ color: colour.soft, fontSize: type.small }}>
            {line}
          </p>
        ))}
      </div>
      <ul aria-label={name} css={{ display: 'grid', gap: space.tight, listStyle: 'none', padding: 0 }}>
        {cards?.map((lead) => (
          <BoardCard
            key={lead.id}
            lead={lead}
            stage={status}
            colleagues={colleagues}
            onMove={(to) => onMove(lead, to)}
            onValue={() => onValue(lead)}
          />
        ))}
      </ul>
      {cards && cards.length >= shown && count > shown && (
        <Button look="quiet" onClick={onMore}>
          Show more
        </Button>
      )}
    </section>
  )
}
