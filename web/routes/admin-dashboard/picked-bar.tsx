import { useState } from 'react'
import type { Lead } from '../../../events/lead/wire.ts'
import { MergeDialog } from '../../staff/leads/merge/merge-dialog.tsx'
import { focusRow } from '../../staff/list/list-keys.ts'
import { Button } from '../../ui/button.tsx'
import { onPhone, panel, shadow, space, type } from '../../ui/theme.ts'
import { FOCUS_CHOICES, FollowUpChoices, useActOnLeads } from './follow-up-choices.tsx'

/** The part of the window that it takes at most: rows are scrolled to above it. */
export const PICKED_HEIGHT = '11rem'

const SPAM_ID = 'spam-of-selected'

/** The keys of the list as long as leads are selected: they press and focus the bar's own controls. */
export const PICKED_ACTIONS = { ...FOCUS_CHOICES, spam: () => document.getElementById(SPAM_ID)?.click() }

/**
 * The actions on the selected leads: set the status or owner of all, mark them as spam, and merge two. All of them can
 * be undone. The bar is below the rows, at the window's foot while there are more of them: no row moves as it appears
 * and disappears.
 */
export const PickedBar = (props: {
  picked: readonly Lead[]
  /** The row that was selected last: it gets the focus when the selection is cleared. */
  lastId: string | undefined
  onDone: () => void
  onClear: () => void
}) => {
  const { picked, lastId, onDone, onClear } = props
  const acting = useActOnLeads(picked, onDone)
  const { isBusy, flag } = acting
  const [merging, setMerging] = useState<readonly [string, string]>()
  const [first, second, ...more] = picked
  const clear = () => {
    if (lastId) focusRow(lastId)
    onClear()
  }
  // a disabled button would lose the focus
  const quiet = (act: () => unknown) => ({
    look: 'quiet' as const,
    'aria-disabled': isBusy,
    onClick: () => {
      if (!isBusy) act()
    },
  })
  return (
    <fieldset
      aria-label="Selected leads"
      data-foot=""
      css={{
        position: 'sticky',
        bottom: `calc(var(--bar, 0px) + var(--preview) + ${space.tight})`,
        zIndex: 1,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: space.snug,
        marginTop: space.base,
        padding: space.snug,
        ...panel,
        boxShadow: shadow.floating,
        fontSize: type.small,
      }}
    >
      <strong role="status">{isBusy ? 'Saving...' : `${picked.length} selected`}</strong>
      <FollowUpChoices {...acting} />
      <Button id={SPAM_ID} {...quiet(flag)}>
        Spam
      </Button>
      {first && second && more.length === 0 && (
        <Button {...quiet(() => setMerging([first.id, second.id]))} css={{ [onPhone]: { order: 2 } }}>
          Merge
        </Button>
      )}
      {merging && (
        <MergeDialog
          ids={merging}
          onUnmerged={onDone}
          onMerged={() => {
            setMerging(undefined)
            onClear()
            onDone()
          }}
          onClose={() => setMerging(undefined)}
        />
      )}
      <Button {...quiet(clear)}>Clear selection</Button>
    </fieldset>
  )
}
