import { ASSIGNEE_FILTERS, type AssigneeFilter } from '../../chat/console/console-pages.ts'
import { Button } from '../../ui/button.tsx'
import { space } from '../../ui/theme.ts'

const LABELS: Record<AssigneeFilter, string> = { all: 'All', mine: 'Mine', unassigned: 'Unassigned' }

const KEYS: Record<AssigneeFilter, string> = { all: 'Alt+A', mine: 'Alt+M', unassigned: 'Alt+U' }

/** Chooses by assignee which chats are listed. */
export const AssigneeFilterButtons = ({
  assignees,
  onShow,
}: {
  assignees: AssigneeFilter
  onShow: (assignees: AssigneeFilter) => void
}) => (
  // biome-ignore lint/a11y/useSemanticElements: three buttons are no fieldset
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
