import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { mutate, useSWRConfig } from 'swr'
import { inRand } from '../../../events/base/amount.ts'
import { FOLLOW_UP_STATUSES, type FollowUpStatus } from '../../../events/lead/follow-up/follow-up.ts'
import { forecastOf, PIPELINE_DAYS } from '../../../events/lead/screens/pipeline.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { useColleagues } from '../../staff/account/colleagues.ts'
import { ClashPanel } from '../../staff/leads/conversation/clash-panel.tsx'
import { LayoutSwitch } from '../../staff/leads/list/layout-switch.tsx'
import { useLeadRefresh } from '../../staff/leads/live/refresh.ts'
import { Pending } from '../../staff/placeholder.tsx'
import { StalledBanner } from '../../staff/shell/stalled-banner.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { colour, from, onPhone, space, type } from '../../ui/theme.ts'
import type { Followed } from './card.tsx'
import { StageColumn } from './stage.tsx'
import { StageLinks } from './stage-links.tsx'
import { useStages } from './stages.ts'
import { useMove } from './use-move.ts'
import { ValueDialog } from './value-dialog.tsx'

const USUAL_DAYS = 90

const isOfBoard = (key: unknown) =>
  typeof key === 'string' && (key.startsWith('/api/pipeline?') || key.startsWith('/api/leads?'))

const refresh = () => mutate(isOfBoard)

/** The leads that a board shows, by their ids: a dropped card names one. */
const useShownLead = () => {
  const { cache } = useSWRConfig()
  return (id: string): Lead | undefined =>
    [...cache.keys()]
      .filter((key) => key.startsWith('/api/leads?'))
      .flatMap((key) => (cache.get(key)?.data as Lead[] | undefined) ?? [])
      .find((lead) => lead.id === id)
}

const Days = ({ days, onChoose }: { days: number; onChoose: (days: number) => void }) => (
  <fieldset css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
    <legend css={{ fontSize: type.small, fontWeight: 600 }}>Leads of the last</legend>
    {PIPELINE_DAYS.map((each) => (
      <Button key={each} look="quiet" aria-pressed={each === days} onClick={() => onChoose(each)}>
        {each} days
      </Button>
    ))}
  </fieldset>
)

export const Pipeline = () => {
  useTitle('Pipeline')
  const [query, setQuery] = useSearchParams()
  const days = PIPELINE_DAYS.find((each) => String(each) === query.get('days')) ?? USUAL_DAYS
  const choose = (next: number) => {
    // the filters of the list stay in the address, for the way back to it
    const chosen = new URLSearchParams(query)
    chosen.set('days', String(next))
    setQuery(chosen, { preventScrollReset: true })
  }
  const { data: { stages } = {}, error, mutate } = useStages(days)
  const { data: colleagues = [] } = useColleagues()
  const [valued, setValued] = useState<Lead>()
  const followed = useRef<Followed>(undefined)
  const shownLead = useShownLead()
  useLeadRefresh(refresh, { onLeads: () => true })
  const board = useMove(refresh)
  const drop = (leadId: string, status: FollowUpStatus) => {
    const lead = shownLead(leadId)
    if (lead && lead.followUpStatus !== status) board.move(lead, status)
  }
  return (
    <>
      <TopBar title="Pipeline">
        <LayoutSwitch layout="board" />
      </TopBar>
      <StalledBanner of="overview" />
      <div
        css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', justifyContent: 'space-between', gap: space.base }}
      >
        <div>
          <p role="status" css={{ maxWidth: '36rem', marginTop: space.tight, color: colour.soft }}>
            {stages &&
              `Forecast: ${inRand(Math.round(forecastOf(stages) * 100) / 100)} (won, plus the likely part of the rest)`}
          </p>
        </div>
        <Days days={days} onChoose={choose} />
      </div>
      <Pending what="the pipeline" isLoading={!stages} error={error} retry={() => mutate()} />
      {stages && <StageLinks stages={stages} />}
      <div
        css={{
          display: 'grid',
          gap: space.snug,
          gridTemplateColumns: 'minmax(0, 1fr)',
          marginTop: space.roomy,
          [onPhone]: { marginTop: space.base },
          [from.medium]: { gridTemplateColumns: 'repeat(auto-fit, minmax(13rem, 1fr))' },
          // all stages side by side: a card is dragged to any of them
          [from.large]: { gridTemplateColumns: `repeat(${FOLLOW_UP_STATUSES.length}, minmax(0, 1fr))` },
        }}
      >
        {stages?.map((stage) => (
          <StageColumn
            key={stage.status}
            stage={stage}
            days={days}
            followed={followed}
            onMove={board.move}
            onDropped={drop}
            onValue={setValued}
          />
        ))}
      </div>
      {valued && (
        <ValueDialog
          lead={valued}
          onSave={(value) => board.setValue(valued, value)}
          onClose={() => setValued(undefined)}
        />
      )}
      {board.clash && (
        <Dialog title="A colleague was faster" onClose={board.keepTheirs}>
          <ClashPanel
            clash={board.clash}
            colleagues={colleagues}
            isSaving={board.isSaving}
            onKeepTheirs={board.keepTheirs}
            onUseMine={board.useMine}
          />
        </Dialog>
      )}
    </>
  )
}
