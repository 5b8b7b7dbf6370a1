import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { readView, withView } from '../../staff/leads/list/address.ts'
import { PRESET_VIEWS } from '../../staff/leads/list/preset-views.ts'
import { useSavedViews } from '../../staff/list/saved-views.ts'
import { Button } from '../../ui/button.tsx'
import { EditView, SaveView } from './view-dialogs.tsx'

/**
 * Saves the current selection as a view, which the side bar lists, or edits the view that it is. Nothing is to be saved
 * of a plain selection, with which the list opens.
 */
export const Views = ({ isPlain = false }: { isPlain?: boolean }) => {
  const [query] = useSearchParams()
  const { views, isSettled } = useSavedViews()
  const [isSaving, setSaving] = useState(false)
  const [editedId, setEditedId] = useState<string>()
  const currentQuery = withView(new URLSearchParams(), { ...readView(query), page: 1 }).toString()
  const own = views.find((view) => view.query === currentQuery)
  const edited = views.find(({ id }) => id === editedId)
  const isPreset = PRESET_VIEWS.some((view) => view.query === currentQuery)
  const canSave = isSettled && currentQuery && !isPreset && !isPlain
  return (
    <>
      {/* one button, so that the focus stays on it; not before the views have loaded */}
      {(own || canSave) && (
        <Button look="quiet" onClick={() => (own ? setEditedId(own.id) : setSaving(true))}>
          {own ? 'Edit view' : 'Save view'}
        </Button>
      )}
      {isSaving && <SaveView query={currentQuery} onClose={() => setSaving(false)} />}
      {edited && <EditView view={edited} onClose={() => setEditedId(undefined)} />}
    </>
  )
}
