import { useState } from 'react'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast/toasts.ts'
import { toastFailure } from '../../refusal.ts'
import { releaseLead } from './quarantine.ts'

/** Releases a flagged lead from quarantine. */
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
    try {
      await releaseLead(lead.id)
      toast({ title: 'Released', description: `${lead.name} was moved to leads.`, variant: 'default' })
      onReleased()
    } catch (error) {
      toastFailure('Not released', error)
      setReleasing(false)
    }
  }
  return (
    <Button look={look} aria-disabled={isReleasing} onClick={release} {...(label && { 'aria-label': label })}>
      {isReleasing ? 'Releasing...' : 'Not spam'}
    </Button>
  )
}
