import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { readView, withView } from '../../staff/leads/list/address.ts'
import { PRESET_VIEWS } from '../../staff/leads/list/preset-views.ts'
import { useSavedViews } from '../../staff/saved-views.ts'
import { Button } from '../../ui/button.tsx'
import { onPhone, space, type } from '../../ui/theme.ts'
import { EditView, SaveView } from './view-dialogs.tsx'

const line = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: `0 ${space.roomy}`,
  [onPhone]: { columnGap: space.base },
} as const

/**
 * The lists that are one click away: the built-in ones, and one's own. The current selection can be saved as another
 * one.
 */
export const Views = () => {
  const [query] = useSearchParams()
  const { views, isSettled } = useSavedViews()
  const [isSaving, setSaving] = useState(false)
  const [editedId, setEditedId] = useState<string>()
  const currentQuery = withView(new URLSearchParams(), { ...readView(query), page: 1 }).toString()
  const own = views.find((view) => view.query === currentQuery)
  const edited = views.find(({ id }) => id === editedId)
  const isPreset = PRESET_VIEWS.some((view) => view.query === currentQuery)
  return (
    <div css={[line, { alignItems: 'center', marginTop: space.tight }]}>
      <nav aria-label="Views" css={line}>
        {[...PRESET_VIEWS.map((view) => ({ ...view, id: view.name })), ...views].map((view) => (
          <Link
            key={view.id}
            to={{ search: view.query }}
            preventScrollReset
            {...(view.query === currentQuery && { 'aria-current': 'true' as const })}
            css={{
              padding: `${space.tight} 0`,
              fontSize: type.small,
              overflowWrap: 'anywhere',
              [onPhone]: { padding: `${space.snug} 0` },
              ':focus-visible': { outlineOffset: -2 },
              '&[aria-current]': { color: 'inherit', fontWeight: 600, textDecoration: 'none' },
            }}
          >
            {view.name}
          </Link>
        ))}
      </nav>
      {own && (
        <Button look="quiet" onClick={() => setEditedId(own.id)}>
          Edit view
        </Button>
      )}
      {/* not before the views have loaded: they would take its place under the pointer */}
      {isSettled && currentQuery && !own && !isPreset && (
        <Button look="quiet" onClick={() => setSaving(true)}>
          Save view
        </Button>
      )}
      {isSaving && <SaveView query={currentQuery} onClose={() => setSaving(false)} />}
      {edited && <EditView view={edited} onClose={() => setEditedId(undefined)} />}
    </div>
  )
}
