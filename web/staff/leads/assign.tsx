import { useState } from 'react'
import type { Lead } from '../../../events/wire/lead.ts'
import { Button } from '../../ui/button.tsx'
import { useMe } from '../account.ts'
import { changeWithUndo } from './change-with-undo.ts'
import { leadTitle } from './list.ts'

/** What came of it, as `changeWithUndo` says it. */
export const ASSIGNED = 'assigned to you'

/** Takes care of a lead that is nobody's. Nothing where it is somebody's. */
export const AssignToMe = ({ lead, onChanged }: { lead: Lead; onChanged: () => void }) => {
  const { data: me } = useMe()
  const [isBusy, setBusy] = useState(false)
  if (lead.ownerId || !me) return null
  const assign = async () => {
    if (isBusy) return
    setBusy(true)
    await changeWithUndo([lead], { ownerId: me.id }, { done: ASSIGNED, onDone: onChanged })
    setBusy(false)
  }
  return (
    <Button look="quiet" aria-disabled={isBusy} aria-label={`Assign to me: ${leadTitle(lead)}`} onClick={assign}>
      Assign to me
    </Button>
  )
}
