import { useState } from 'react'
import type { Lead } from '../../../events/lead.ts'
import { REASONS, releaseLead } from '../../staff/quarantine.ts'
import { Button } from '../../ui/button.tsx'
import { colour, radius, space } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'

/** Says why a lead is in quarantine, and lets it out. */
export const Suspect = ({ lead, onReleased }: { lead: Lead; onReleased: () => void }) => {
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
    } finally {
      setReleasing(false)
    }
  }
  return (
    <div
      css={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: space.base,
        marginTop: space.base,
        padding: space.base,
        borderRadius: radius.card,
        background: colour.sunk,
      }}
    >
      <p>In quarantine. {lead.suspicion?.map((reason) => REASONS[reason]).join(' ')}</p>
      <Button look="outline" disabled={isReleasing} onClick={release}>
        {isReleasing ? 'Releasing...' : 'Release as a lead'}
      </Button>
    </div>
  )
}
