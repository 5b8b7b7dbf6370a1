import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { isContract } from '../../../events/lead/kind.ts'
import { leadInWords } from '../../../events/lead/name.ts'
import { isErased, type Lead } from '../../../events/lead/wire.ts'
import { HttpError } from '../../client/http.ts'
import { useMe } from '../../staff/account.ts'
import { moveDrafts, removeDraftsAbout } from '../../staff/drafts.tsx'
import { type FromList, leadAddress, listAddress, NOTE_FIELD, placeInHistory } from '../../staff/leads/address.ts'
import { AssignToMe } from '../../staff/leads/change/assign.tsx'
import { CopyButtons } from '../../staff/leads/contact/copy-buttons.tsx'
import { useLoggedContacts } from '../../staff/leads/contact/log-contact.tsx'
import { useLead } from '../../staff/leads/lead.ts'
import { mergedInto, ownIdsOf } from '../../staff/leads/merge/links.ts'
import { FlagButton } from '../../staff/leads/quarantine/flag-button.tsx'
import { LeadChips } from '../../staff/leads/shown/lead-chips.tsx'
import { hasAnswers, Words } from '../../staff/leads/shown/lead-message.tsx'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { FetchFailure, Placeholder } from '../../staff/placeholder.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { space, type } from '../../ui/theme.ts'
import { AnswerPanel } from './answer.tsx'
import { Columns } from './columns.tsx'
import { Contract } from './contract.tsx'
import { Erase } from './erase.tsx'
import { ErasedLead } from './erased-lead.tsx'
import { Facts } from './facts.tsx'
import { Flagged } from './flagged.tsx'
import { FollowUpForm } from './follow-up.tsx'
import { MergedLeads } from './merged-leads.tsx'
import { NoteForm } from './note-form.tsx'
import { OpenChat } from './open-chat.tsx'
import { OtherLeads } from './other-leads.tsx'
import { Panel } from './panel.tsx'
import { PersonLeads } from './person-leads.ts'
import { PersonTimeline } from './person-timeline.tsx'

/**
 * Links from a lead back to the list; if the list is still in the history, it works as the browser's own Back: to the
 * same place.
 */
const BackToList = ({ state }: { state: FromList | null }) => {
  const navigate = useNavigate()
  const goBack = (event: MouseEvent) => {
    const steps = state?.at === undefined ? 0 : state.at - placeInHistory()
    if (steps >= 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    navigate(steps)
  }
  return (
    <Link to={listAddress(state)} onClick={goBack}>
      Back to the list
    </Link>
  )
}

/** The visitor's message: staff open a lead to read it. Nothing if there is none. */
const Message = ({ lead }: { lead: Lead }) =>
  lead.message ? (
    <Panel id="message" title={hasAnswers(lead) ? 'Answers' : 'Message'}>
      <Words lead={lead} />
    </Panel>
  ) : null

type KnownLead = {
  lead: Lead
  accountId: string
  onSaved: (lead?: Lead) => void
  onErased: () => void
} & Pick<ReturnType<typeof useLead>, 'person' | 'refresh'>

const Heading = ({ lead, onSaved, onErased }: Pick<KnownLead, 'lead' | 'onSaved' | 'onErased'>) => {
  const { data: me } = useMe()
  const title = useRef<HTMLHeadingElement>(null)
  const onAssigned = () => {
    // the button disappears
    title.current?.focus()
    onSaved()
  }
  return (
    <div
      css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', justifyContent: 'space-between', gap: space.base }}
    >
      <div css={{ minWidth: 0 }}>
        <h1
          ref={title}
          tabIndex={-1}
          css={{
            fontSize: type.heading,
            overflowWrap: 'anywhere',
            outline: 'none',
            '& > span': { fontSize: '0.65em', letterSpacing: 0 },
          }}
        >
          <LeadName lead={lead} />
        </h1>
        <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight, marginTop: space.snug }}>
          <LeadChips lead={lead} />
        </div>
      </div>
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        <AssignToMe lead={lead} onChanged={onAssigned} />
        <CopyButtons lead={lead} />
        <FlagButton lead={lead} onChanged={() => onSaved()} onFlagged={() => title.current?.focus()} />
        {me?.role === 'owner' && <Erase lead={lead} onErased={onErased} />}
      </div>
    </div>
  )
}

const Known = ({ lead, accountId, person, refresh, onSaved, onErased }: KnownLead) => {
  const { leads = [], links = [], timeline } = person.data ?? {}
  const ownIds = ownIdsOf(lead.id, leads)
  return (
    <>
      <Heading lead={lead} onSaved={onSaved} onErased={onErased} />
      {lead.suspicion && <Flagged lead={lead} onReleased={refresh} />}
      <Columns>
        <div css={{ display: 'grid', gap: space.roomy }}>
          <Message lead={lead} />
          <MergedLeads lead={lead} leads={leads} timeline={timeline ?? []} />
          {!lead.suspicion && <OpenChat timeline={timeline ?? []} leadIds={ownIds} />}
          {!lead.suspicion && (
            <PersonLeads value={leads}>
              <AnswerPanel lead={lead} timeline={timeline} ownIds={ownIds} onAnswered={onSaved} />
            </PersonLeads>
          )}
          <FollowUpForm lead={lead} accountId={accountId} onSaved={onSaved} />
          <Facts lead={lead} onSaved={onSaved} />
          {[lead, ...mergedInto(lead.id, leads)].map(
            ({ id, leadSource }) => isContract(leadSource) && <Contract key={id} leadId={id} />,
          )}
          <OtherLeads lead={lead} leads={leads} links={links} onMerged={onSaved} />
        </div>
        <Panel id="timeline" title="Timeline">
          <NoteForm leadId={lead.id} accountId={accountId} onAdded={refresh} />
          <PersonTimeline leadId={lead.id} person={person} onUndone={refresh} />
        </Panel>
      </Columns>
    </>
  )
}

const Loaded = ({ id, state }: { id: string; state: FromList | null }) => {
  const { lead, person, refresh } = useLead(id)
  const { data: me } = useMe()
  const [hasErased, setHasErased] = useState(false)
  useTitle(lead.data ? leadInWords(lead.data) : 'Lead')
  const isErasedNow = hasErased || (lead.data && isErased(lead.data))
  const stays = lead.data?.mergedInto
  useEffect(() => {
    if (isErasedNow) removeDraftsAbout(`lead-${id}`)
    else if (stays) moveDrafts(id, stays)
  }, [id, isErasedNow, stays])
  const onSaved = (saved?: Lead) => {
    // a mutate to undefined would hide the page until the lead is fetched again
    if (saved) lead.mutate(saved, { revalidate: false })
    else lead.mutate()
    person.mutate()
  }
  useLoggedContacts(({ leadId, lead: changed, contact }) => {
    if (leadId !== id) return
    onSaved(changed)
    if (contact?.channel === 'call' && contact.isReached) document.getElementById(NOTE_FIELD)?.focus()
  })
  if (stays) return <Navigate to={leadAddress(stays)} state={state} replace />
  if (hasErased) return <Navigate to="/admin-dashboard" replace />
  if (lead.error instanceof HttpError && lead.error.status === 404) {
    return (
      <Placeholder title="Lead not found" isScreen>
        Check the link.
      </Placeholder>
    )
  }
  return (
    <>
      {lead.error && <FetchFailure title="Error loading the lead" error={lead.error} retry={refresh} />}
      {(!lead.data || !me) && !lead.error && <Placeholder title="Loading the lead..." />}
      {lead.data && isErased(lead.data) && <ErasedLead lead={lead.data} person={person} />}
      {lead.data && me && !isErased(lead.data) && (
        <Known
          lead={lead.data}
          accountId={me.id}
          person={person}
          refresh={refresh}
          onSaved={onSaved}
          onErased={() => setHasErased(true)}
        />
      )}
    </>
  )
}

/** The page of one lead, `?id=`, with all its data and the actions of staff. */
export const LeadPage = () => {
  const [query] = useSearchParams()
  const id = query.get('id') ?? ''
  const { state } = useLocation()
  return (
    <>
      <p css={{ marginBottom: space.base }}>
        <BackToList state={state} />
      </p>
      <Loaded key={id} id={id} state={state} />
    </>
  )
}
