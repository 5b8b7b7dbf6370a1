import { useState } from 'react'
import { Link, Navigate, useLocation, useSearchParams } from 'react-router'
import type { Lead } from '../../../events/lead.ts'
import { HttpError } from '../../http.ts'
import { useMe } from '../../staff/account.ts'
import { listAddress } from '../../staff/leads/address.ts'
import { copyLead, copyLeadData } from '../../staff/leads/copy.ts'
import { useLead } from '../../staff/leads/lead.ts'
import { leadTitle } from '../../staff/leads/list.ts'
import { NextAction, ReplyPromise } from '../../staff/leads/promise.tsx'
import { ForwardChip, StatusChip } from '../../staff/leads/status.tsx'
import { isWebsiteInfo } from '../../staff/leads/text.ts'
import { LeaveGuard } from '../../staff/leave-guard.tsx'
import { FetchFailure, Notice } from '../../staff/notice.tsx'
import { useTitle } from '../../staff/title.ts'
import { Button } from '../../ui/button.tsx'
import { from, space, type } from '../../ui/theme.ts'
import { Erase } from './erase.tsx'
import { Facts } from './facts.tsx'
import { FollowUpForm } from './follow-up.tsx'
import { NoteForm } from './note-form.tsx'
import { OtherLeads } from './other-leads.tsx'
import { Panel } from './panel.tsx'
import { Suspect } from './suspect.tsx'
import { Timeline } from './timeline.tsx'

type KnownPerson = Pick<ReturnType<typeof useLead>, 'person' | 'refresh'>

const Heading = ({ lead, onErased }: { lead: Lead; onErased: () => void }) => {
  const { data: me } = useMe()
  return (
    <div
      css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', justifyContent: 'space-between', gap: space.base }}
    >
      <div css={{ minWidth: 0 }}>
        <h1 css={{ fontSize: type.heading, overflowWrap: 'anywhere' }}>{leadTitle(lead)}</h1>
        <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight, marginTop: space.snug }}>
          <StatusChip status={lead.followUpStatus} />
          <ReplyPromise lead={lead} />
          <NextAction day={lead.nextActionDate} />
          <ForwardChip status={lead.forwardStatus} />
        </div>
      </div>
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        <Button look="quiet" onClick={() => copyLead(lead)}>
          {isWebsiteInfo(lead) ? 'Copy AI Prompt' : 'Copy Email'}
        </Button>
        <Button look="quiet" onClick={() => copyLeadData(lead)}>
          Copy Data
        </Button>
        {me?.role === 'owner' && <Erase lead={lead} onErased={onErased} />}
      </div>
    </div>
  )
}

const Known = ({ lead, person, refresh, onSaved }: { lead: Lead; onSaved: (lead?: Lead) => void } & KnownPerson) => {
  const [isEdited, setEdited] = useState(false)
  const [hasNote, setHasNote] = useState(false)
  const [isErased, setErased] = useState(false)
  if (isErased) return <Navigate to="/admin-dashboard" replace />
  return (
    <>
      <LeaveGuard isDirty={isEdited || hasNote} />
      <Heading lead={lead} onErased={() => setErased(true)} />
      {lead.suspicion && <Suspect lead={lead} onReleased={refresh} />}
      <div
        css={{
          display: 'grid',
          gap: space.roomy,
          alignItems: 'start',
          marginTop: space.roomy,
          gridTemplateColumns: 'minmax(0, 1fr)',
          [from.large]: { gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)' },
        }}
      >
        <div css={{ display: 'grid', gap: space.roomy }}>
          <FollowUpForm lead={lead} onSaved={onSaved} onDirty={setEdited} />
          <Facts lead={lead} />
          <OtherLeads leads={person.data?.leads.filter((other) => other.id !== lead.id) ?? []} />
        </div>
        <Panel id="timeline" title="Timeline">
          <NoteForm leadId={lead.id} onAdded={refresh} onDirty={setHasNote} />
          {person.error && (
            <FetchFailure title="Error loading the timeline" error={person.error} retry={() => person.mutate()} />
          )}
          {!person.data && !person.error && <Notice title="Loading the timeline..." />}
          {person.data && <Timeline leadId={lead.id} timeline={person.data.timeline} onUndone={refresh} />}
        </Panel>
      </div>
    </>
  )
}

const Loaded = ({ id }: { id: string }) => {
  const { lead, person, refresh } = useLead(id)
  useTitle(lead.data ? leadTitle(lead.data) : 'Lead')
  const onSaved = (saved?: Lead) => {
    lead.mutate(saved, { revalidate: !saved })
    person.mutate()
  }
  if (lead.error instanceof HttpError && lead.error.status === 404) {
    return <Notice title="There is no such lead">The address may be incomplete.</Notice>
  }
  return (
    <>
      {lead.error && <FetchFailure title="Error loading the lead" error={lead.error} retry={refresh} />}
      {!lead.data && !lead.error && <Notice title="Loading the lead..." />}
      {lead.data && <Known lead={lead.data} person={person} refresh={refresh} onSaved={onSaved} />}
    </>
  )
}

/** All that is known about one lead, `?id=`, and what staff do about it. */
export const LeadPage = () => {
  const [query] = useSearchParams()
  const id = query.get('id') ?? ''
  const { state } = useLocation()
  return (
    <>
      <p css={{ marginBottom: space.base }}>
        <Link to={listAddress(state)}>Back to the list</Link>
      </p>
      <Loaded key={id} id={id} />
    </>
  )
}
