import { useState } from 'react'
import type { Lead } from '../../../events/wire/lead.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast/toasts.ts'
import { reasonOf } from '../refusal.ts'
import { releaseLead } from './quarantine.ts'

/** Lets a flagged lead out of quarantine. */
export const ReleaseButton = ({ lead, onReleased }: { lead: Lead; onReleased: () => void }) => {
  const [isReleasing, setReleasing] = useState(false)
  const release = async () => {
    if (isReleasing) return
    setReleasing(true)
    try {
      await releaseLead(lead.id)
      toast({ title: 'Released', description: `${lead.name} was moved to leads.`, variant: 'default' })
      onReleased()
    } catch (error) {
      console.warn('The lead was not released:', error)
      toast({ title: 'Not released', description: reasonOf(error), variant: 'destructive' })
      setReleasing(false)
    }
  }
  return (
    <Button look="outline" aria-disabled={isReleasing} onClick={release}>
      {isReleasing ? 'Releasing...' : 'Not spam'}
    </Button>
  )
}
