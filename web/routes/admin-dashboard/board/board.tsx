import { useState } from 'react'
import { inRand } from '../../../../events/base/amount.ts'
import { FOLLOW_UP_STATUSES, type FollowUpStatus } from '../../../../events/lead/follow-up/follow-up.ts'
import { forecastOf } from '../../../../events/lead/screens/pipeline.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { useColleagues } from '../../../staff/account/colleagues.ts'
import { useLoggedContacts } from '../../../staff/leads/contact/log-contact.tsx'
import { ClashPanel } from '../../../staff/leads/conversation/clash-panel.tsx'
import { useLeadKeys } from '../../../staff/leads/keys/lead-keys.tsx'
import { ListedIds, useReturnToList } from '../../../staff/leads/list/place.ts'
import { useLeadRefresh } from '../../../staff/leads/live/refresh.ts'
import { FlaggedMatches } from '../../../staff/leads/quarantine/quarantine-link.tsx'
import { useKeysInHelp } from '../../../staff/list/key-help.tsx'
import { Pending } from '../../../staff/placeholder.tsx'
import { useTitle } from '../../../staff/shell/title.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { colour, from, space, type } from '../../../ui/theme.ts'
import { LeadsBar } from '../leads-bar.tsx'
import { UnknownWeek } from '../unknown-week.tsx'
import { useView } from '../use-view.ts'
import { StageColumn } from './stage.tsx'
import { StageLinks } from './stage-links.tsx'
import { type ShownCards, STAGE_CARDS, useStages } from './stages.ts'
import { useMove } from './use-move.ts'
import { ValueDialog } from './value-dialog.tsx'

const KEYS = {
  title: 'On the board',
  keys: [{ keys: ['Shift', '← →'], does: 'Move the lead to the stage before or after' }],
}

/** How many cards each stage shows at first. */
const FIRST_CARDS = Object.fromEntries(FOLLOW_UP_STATUSES.map((status) => [status, STAGE_CARDS])) as ShownCards

/** The board: the same leads as in the list by stage, with their value, and the expected value. */
export const Board = () => {
  useTitle('Pipeline')
  const selection = useView('board')
  const { view, shown: { filter } = {} } = selection
  const [shown, setShown] = useState(FIRST_CARDS)
  const { stages, isSearching, error, refresh } = useStages(filter, shown)
  const { data: colleagues = [] } = useColleagues()
  const [valued, setValued] = useState<Lead>()
  useLeadRefresh(refresh, { onLeads: () => true })
  useLoggedContacts(refresh)
  const board = useMove(refresh)
  const leads = stages?.flatMap(({ cards }) => cards ?? []) ?? []
  const choices = useLeadKeys({ leads, onChanged: refresh })
  useKeysInHelp(KEYS)
  useReturnToList()
  const drop = (leadId: string, status: FollowUpStatus) => {
    const lead = leads.find(({ id }) => id === leadId)
    if (lead && lead.followUpStatus !== status) board.move(lead, status)
  }
  return (
    <ListedIds value={leads.map(({ id }) => id)}>
      <LeadsBar
        layout="board"
        {...selection}
        total={error ? undefined : stages?.reduce((sum, stage) => sum + stage.leads, 0)}
        isSearching={isSearching}
      />
      {choices}
      {view.term && (
        <div css={{ marginBottom: space.tight, fontSize: type.small }}>
          <FlaggedMatches term={view.term} />
        </div>
      )}
      <p role="status" css={{ color: colour.soft, fontSize: type.small }}>
        {stages &&
          `Forecast: ${inRand(Math.round(forecastOf(stages) * 100) / 100)} (won, plus the likely part of the rest)`}
      </p>
      {!filter && <UnknownWeek />}
      {filter && <Pending what="the pipeline" isLoading={!stages} error={error} retry={refresh} />}
      {stages && <StageLinks stages={stages} />}
      <div
        css={{
          display: 'grid',
          gap: space.snug,
          gridTemplateColumns: 'minmax(0, 1fr)',
          marginTop: space.base,
          opacity: isSearching ? 0.6 : 1,
          [from.medium]: { gridTemplateColumns: 'repeat(auto-fit, minmax(13rem, 1fr))' },
          // all stages side by side: a card is dragged to any of them
          [from.large]: { gridTemplateColumns: `repeat(${FOLLOW_UP_STATUSES.length}, minmax(0, 1fr))` },
        }}
      >
        {stages?.map((stage) => (
          <StageColumn
            key={stage.status}
            stage={stage}
            shown={shown[stage.status]}
            onMore={() => setShown({ ...shown, [stage.status]: shown[stage.status] + STAGE_CARDS })}
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
    </ListedIds>
  )
}
