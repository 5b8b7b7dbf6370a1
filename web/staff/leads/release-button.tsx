import { useState } from 'react'
import type { Lead } from '../../../events/lead.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast/toasts.ts'
import { releaseLead } from './quarantine.ts'

/** Lets a suspect out of quarantine. */
export const ReleaseButton = ({ lead, onReleased }: { lead: Lead; onReleased: () => void }) => {
  const [isReleasing, setReleasing] = useState(false)
  const release = async () => {
    setReleasing(true)
    try {
      await releaseLead(lead.id)
      toast({ title: 'Released', description: `${lead.name} is now among the submissions.`, variant: 'default' })
      onReleased()
    } catch (error) {
      console.warn('The lead was not released:', error)
      toast({ title: 'Not released', description: 'The server did not answer. Try again.', variant: 'destructive' })
      setReleasing(false)
    }
  }
  return (
    <Button look="outline" disabled={isReleasing} onClick={release}>
      {isReleasing ? 'Releasing...' : 'Release as a lead'}
    </Button>
  )
}
