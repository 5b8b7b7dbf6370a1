import { useState } from 'react'
import { Link } from 'react-router'
import type { Lead } from '../../../events/lead.ts'
import { LeadCard } from '../../staff/lead-card.tsx'
import { momentOf } from '../../staff/lead-day.ts'
import { FetchFailure, Notice } from '../../staff/notice.tsx'
import { REASONS, releaseLead, useQuarantine } from '../../staff/quarantine.ts'
import { Button } from '../../ui/button.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'

const Suspect = ({ lead, onReleased }: { lead: Lead; onReleased: () => void }) => {
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
    <li css={{ display: 'grid', gap: space.tight }}>
      <LeadCard lead={lead} when={momentOf(lead.timestamp)} />
      <div
        css={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          justifyContent: 'space-between',
          gap: space.snug,
          padding: `${space.snug} ${space.roomy}`,
          borderRadius: radius.card,
          background: colour.sunk,
          fontSize: type.small,
        }}
      >
        <div css={{ display: 'grid', gap: space.tight, minWidth: 0 }}>
          <p>{lead.suspicion?.map((reason) => REASONS[reason]).join(' ')}</p>
          {lead.message && (
            <p css={{ maxHeight: '12rem', overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {lead.message}
            </p>
          )}
        </div>
        <Button look="quiet" disabled={isReleasing} onClick={release}>
          {isReleasing ? 'Releasing...' : 'Release as a lead'}
        </Button>
      </div>
    </li>
  )
}

/** The submissions that may be a machine's: kept out of all lists and e-mails until somebody releases them. */
export const Quarantine = () => {
  const { data, error, mutate } = useQuarantine()
  return (
    <>
      <h1 css={{ fontSize: type.heading }}>Quarantine</h1>
      <p css={{ maxWidth: '40rem', margin: `${space.tight} 0 ${space.base}`, color: colour.soft }}>
        These submissions look like a machine’s. They are in no list and went out in no e-mail. Release the ones that a
        person sent.
      </p>
      <p css={{ marginBottom: space.roomy }}>
        <Link to="/admin-submissions">Back to all submissions</Link>
      </p>
      {error && <FetchFailure title="Error loading submissions" error={error} retry={() => mutate()} />}
      {!data && !error && <Notice title="Loading submissions..." />}
      {data?.length === 0 && <Notice title="Nothing is in quarantine" />}
      <ul aria-label="Suspects" css={{ display: 'grid', gap: space.roomy }}>
        {data?.map((lead) => (
          <Suspect
            key={lead.id}
            lead={lead}
            onReleased={() =>
              mutate(
                data.filter(({ id }) => id !== lead.id),
                { revalidate: false },
              )
            }
          />
        ))}
      </ul>
    </>
  )
}
