import { useEffect, useEffectEvent } from 'react'
import type { Lead } from '../../../events/lead/wire.ts'
import { useOwnerName } from '../../staff/colleagues.ts'
import { receivedInShort } from '../../staff/leads/clock/received-in-words.ts'
import { usePerson } from '../../staff/leads/lead.ts'
import { followLeads } from '../../staff/leads/live/stream.ts'
import { relatedTo } from '../../staff/leads/merge/links.ts'
import { MergedWords, writtenInMerged } from '../../staff/leads/merge/merged-messages.tsx'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { PlainLink } from '../../staff/leads/shown/plain-link.tsx'
import { StatusChip } from '../../staff/leads/shown/status.tsx'
import { FetchFailure } from '../../staff/placeholder.tsx'
import { colour, space, type } from '../../ui/theme.ts'

/** A long text scrolls. */
export const scrolledWords = { maxHeight: '9rem', marginTop: space.base, overflow: 'auto' } as const

/**
 * The person of a lead, fetched again when a lead is merged into it, when one of theirs changes, or after a
 * reconnection: the lead itself does not show that.
 */
const usePersonLive = (leadId: string) => {
  const person = usePerson(leadId)
  const refetch = useEffectEvent((fresh: readonly Lead[]) => {
    const isAbout = ({ id, mergedInto }: Lead) =>
      mergedInto === leadId || person.data?.leads.some((known) => known.id === id)
    if (fresh.some(isAbout)) person.mutate()
  })
  const reopen = useEffectEvent(() => {
    // the first time it is being fetched already
    if (person.data) person.mutate()
  })
  useEffect(() => followLeads({ onLeads: (fresh) => refetch(fresh), onOpen: () => reopen() }), [])
  return person
}

/** The messages of the leads that were merged into this one. */
const Merged = ({ lead, leads }: { lead: Lead; leads: readonly Lead[] }) => {
  const merged = writtenInMerged(lead.id, leads)
  return merged.length > 0 ? (
    <section
      aria-label="What merged leads wrote"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      tabIndex={0}
      css={[scrolledWords, { maxHeight: '12rem' }]}
    >
      <MergedWords leads={merged} />
    </section>
  ) : null
}

const Related = ({ lead }: { lead: Lead }) => {
  const owner = useOwnerName(lead.ownerId)
  return (
    <li css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: `${space.hair} ${space.tight}` }}>
      <PlainLink leadId={lead.id} css={{ overflowWrap: 'anywhere' }}>
        <LeadName lead={lead} />
      </PlainLink>
      <StatusChip status={lead.followUpStatus} />
      <span css={{ color: colour.soft }}>
        {owner ?? 'Unassigned'}, {receivedInShort(lead)}
      </span>
    </li>
  )
}

/** The other leads with the same address or number: a colleague may have replied to one already. */
const Others = ({ lead, leads }: { lead: Lead; leads: readonly Lead[] }) => {
  const related = relatedTo(lead.id, leads)
  return related.length > 0 ? (
    <section aria-label="Related leads" css={{ marginTop: space.base, fontSize: type.small }}>
      <p css={{ fontWeight: 600 }}>Related leads</p>
      <ul css={{ display: 'grid', gap: space.hair }}>
        {related.map((other) => (
          <Related key={other.id} lead={other} />
        ))}
      </ul>
    </section>
  ) : null
}

/**
 * The other requests of a lead's person, and the staff who work on them, so that one reply covers all of them, and no
 * two staff members reply.
 */
export const PeekPerson = ({ lead }: { lead: Lead }) => {
  const { data, error, mutate } = usePersonLive(lead.id)
  if (data)
    return (
      <>
        <Merged lead={lead} leads={data.leads} />
        <Others lead={lead} leads={data.leads} />
      </>
    )
  if (error)
    return (
      <div css={{ marginTop: space.base }}>
        <FetchFailure title="Error loading the person’s other leads" error={error} retry={() => mutate()} />
      </div>
    )
  return lead.hasMerged ? (
    <p css={{ marginTop: space.base, color: colour.soft, fontSize: type.small }}>Loading what merged leads wrote...</p>
  ) : null
}
