import { ASSIGNEE_FILTERS, type AssigneeFilter } from '../../chat/console/console-pages.ts'
import { type ConsoleState, idsOf, sessionsOf } from '../../chat/console/console-state.ts'
import { Button } from '../../ui/button.tsx'
import { panel, space, type } from '../../ui/theme.ts'
import { EndedList } from './ended-list.tsx'
import { columnHeight } from './heights.ts'
import { SessionList } from './session-list.tsx'
import type { ChatList, useChosenChat } from './use-chosen-chat.ts'

const LABELS: Record<AssigneeFilter, string> = { all: 'All', mine: 'Mine', unassigned: 'Unassigned' }

const KEYS: Record<AssigneeFilter, string> = { all: 'Alt+A', mine: 'Alt+M', unassigned: 'Alt+U' }

const AssigneeFilterButtons = ({
  assignees,
  onShow,
}: {
  assignees: AssigneeFilter
  onShow: (assignees: AssigneeFilter) => void
}) => (
  // biome-ignore lint/a11y/useSemanticElements: three buttons are not a fieldset
  <div
    role="group"
    aria-label="Whose chats"
    css={{ display: 'flex', flexWrap: 'wrap', gap: space.hair, padding: `0 ${space.base} ${space.snug}` }}
  >
    {ASSIGNEE_FILTERS.map((each) => (
      <Button
        key={each}
        look="quiet"
        aria-pressed={assignees === each}
        aria-keyshortcuts={KEYS[each]}
        onClick={() => onShow(each)}
      >
        {LABELS[each]}
      </Button>
    ))}
  </div>
)

const LISTS: { list: ChatList; label: string; title: string }[] = [
  { list: 'active', label: 'Active', title: 'Active Chats' },
  { list: 'ended', label: 'Ended', title: 'Ended Chats' },
]

export const Sidebar = (props: {
  state: ConsoleState
  myId: string | undefined
  chosen: ReturnType<typeof useChosenChat>
  onMore: () => void
}) => {
  const { state, chosen } = props
  const ended = sessionsOf(state).filter(({ isActive }) => !isActive)
  return (
    <section
      aria-labelledby="chat-list"
      css={{
        display: 'flex',
        flexDirection: 'column',
        overflow: 'hidden',
        ...columnHeight,
        ...panel,
      }}
    >
      <div
        css={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          justifyContent: 'space-between',
          gap: space.tight,
          flex: 'none',
          padding: `${space.snug} ${space.base}`,
        }}
      >
        <h2 id="chat-list" css={{ fontSize: type.body, letterSpacing: 0 }}>
          {LISTS.find(({ list }) => list === chosen.list)?.title}
        </h2>
        {/* biome-ignore lint/a11y/useSemanticElements: two buttons are no fieldset */}
        <div role="group" aria-label="Which chats" css={{ display: 'flex', gap: space.hair }}>
          {LISTS.map(({ list, label }) => (
            <Button key={list} look="quiet" aria-pressed={chosen.list === list} onClick={() => chosen.show(list)}>
              {label}
            </Button>
          ))}
        </div>
      </div>
      {chosen.list === 'active' && <AssigneeFilterButtons assignees={chosen.assignees} onShow={chosen.filterBy} />}
      {chosen.list === 'ended' ? (
        <EndedList
          selected={chosen.sessionId}
          fresh={ended}
          erased={idsOf(state.chats, ({ isErased }) => isErased)}
          onSelect={chosen.choose}
        />
      ) : (
        <SessionList state={state} myId={props.myId} onSelect={chosen.choose} onMore={props.onMore} />
      )}
    </section>
  )
}
