import { useState } from 'react'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast/toasts.ts'
import { toastFailure } from '../../requests/refusal.ts'
import { releaseLead } from './quarantine.ts'

/** Releases flagged leads from quarantine, and shows the result; returns whether all were released. */
export const releaseWithToast = async (leads: readonly Lead[]): Promise<boolean> => {
  const [lead, ...others] = leads
  try {
    await Promise.all(leads.map(({ id }) => releaseLead(id)))
    const moved = others.length > 0 ? `${leads.length} leads were` : `${lead?.name} was`
    toast({ title: 'Released', description: `${moved} moved to leads.` })
    return true
  } catch (error) {
    toastFailure('Not released', error)
    return false
  }
}

export const ReleaseButton = ({
  lead,
  look = 'outline',
  label,
  onReleased,
}: {
  lead: Lead
  look?: 'outline' | 'quiet'
  /** Its accessible name if several of them are in sight. */
  label?: string
  onReleased: () => void
}) => {
  const [isReleasing, setReleasing] = useState(false)
  const release = async () => {
    if (isReleasing) return
    setReleasing(true)
    if (await releaseWithToast([lead])) onReleased()
    else setReleasing(false)
  }
  return (
    <Button look={look} aria-disabled={isReleasing} onClick={release} {...(label && { 'aria-label': label })}>
      {isReleasing ? 'Releasing...' : 'Not spam'}
    </Button>
  )
}
