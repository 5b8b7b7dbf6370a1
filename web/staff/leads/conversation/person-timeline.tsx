import { Pending } from '../../placeholder.tsx'
import type { useLead } from '../lead.ts'
import { ownIdsOf } from '../merge/links.ts'
import { Timeline } from './timeline.tsx'

/** The timeline of a lead's person, or the reason why it is not there yet. Without `onUndone` it offers no undo. */
export const PersonTimeline = (props: {
  leadId: string
  person: ReturnType<typeof useLead>['person']
  onUndone?: () => void
}) => {
  const { person, ...rest } = props
  return (
    <>
      <Pending what="the timeline" isLoading={!person.data} error={person.error} retry={() => person.mutate()} />
      {person.data && (
        <Timeline
          {...rest}
          ownIds={ownIdsOf(rest.leadId, person.data.leads)}
          leads={person.data.leads}
          timeline={person.data.timeline}
        />
      )}
    </>
  )
}
