import { useState } from 'react'
import type { Lead } from '../../../../events/lead/wire.ts'
import { ProjectValueField } from '../../../staff/leads/conversation/project-value.tsx'
import { leadTitle } from '../../../staff/leads/list/groups.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'

export const ValueDialog = ({
  lead,
  onSave,
  onClose,
}: {
  lead: Lead
  onSave: (value: number | null) => void
  onClose: () => void
}) => {
  const [value, setValue] = useState(lead.projectValue)
  const title = `What ${leadTitle(lead)} is worth`
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          if (value !== lead.projectValue) onSave(value)
        }}
      >
        <ProjectValueField value={value} onChange={setValue} />
        <DialogActions>
          <Button type="submit">Save value</Button>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
