import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { leadInWords } from '../../../events/lead/name.ts'
import { isErased, type Lead } from '../../../events/lead/wire.ts'
import { HttpError } from '../../client/http.ts'
import { useMe } from '../../staff/account/account.ts'
import { moveDrafts, removeDraftsAbout } from '../../staff/drafts/drafts.tsx'
import { type FromList, leadAddress, listAddress, placeInHistory } from '../../staff/leads/address.ts'
import { AssignToMe } from '../../staff/leads/change/assign.tsx'
import { useLeadChange } from '../../staff/leads/change/use-lead-change.ts'
import { CopyButtons } from '../../staff/leads/contact/copy-buttons.tsx'
import { LeadContent } from '../../staff/leads/conversation/lead-content.tsx'
import { focusPanel } from '../../staff/leads/conversation/panel.tsx'
import { useLeadKeys } from '../../staff/leads/keys/lead-keys.tsx'
import { useLead } from '../../staff/leads/lead.ts'
import { relatedTo } from '../../staff/leads/merge/links.ts'
import { FlagButton } from '../../staff/leads/quarantine/flag-button.tsx'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { focusTitle } from '../../staff/list/list-keys.ts'
import { Pending } from '../../staff/placeholder.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { BackIcon } from '../../ui/icons.tsx'
import { colour, onPhone, radius, size, space, type } from '../../ui/theme.ts'
import { EraseDialog } from './erase-dialog.tsx'
import { ErasedLead } from './erased-lead.tsx'

/** A step from one screen to another, as large as a control. */
const step = {
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  minWidth: size.quiet,
  minHeight: size.quiet,
  borderRadius: radius.control,
  color: colour.soft,
  textDecoration: 'none',
  ':hover': { background: colour.sunk, color: colour.ink },
} as const

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
    <Link to={listAddress(state)} onClick={goBack} aria-label="Back to the list" css={step}>
      <BackIcon />
    </Link>
  )
}

/** The lead's place in the list that it was opened from, with links to the leads around it. */
const Position = ({ id, state }: { id: string; state: FromList | null }) => {
  const { ids = [] } = state ?? {}
  const place = ids.indexOf(id)
  if (place < 0) return null
  const to = (label: string, other: string | undefined, icon: ReactNode) => (
    <Link
      to={other ? leadAddress(other) : ''}
      state={state}
      replace
      aria-label={label}
      {...(!other && { 'aria-disabled': true, tabIndex: -1, style: { visibility: 'hidden' } })}
      css={step}
    >
      {icon}
    </Link>
  )
  return (
    <span
      css={{ display: 'flex', alignItems: 'center', color: colour.soft, fontSize: type.small, whiteSpace: 'nowrap' }}
    >
      {place + 1} of {ids.length}
      {to('Previous lead', ids[place - 1], '↑')}
      {to('Next lead', ids[place + 1], '↓')}
    </span>
  )
}

const NextStep = ({ lead, onChanged }: { lead: Lead; onChanged: () => void }) => {
  const { isBusy, change } = useLeadChange(lead, onChanged)
  if (lead.suspicion) return null
  if (!lead.ownerId) return <AssignToMe lead={lead} onChanged={onChanged} />
  if (lead.followUpStatus !== 'contacted' && lead.followUpStatus !== 'quoted') return null
  return (
    <Button aria-disabled={isBusy} onClick={() => change({ followUpStatus: 'won' }, 'set to Won')}>
      Mark won
    </Button>
  )
}

/** An entry of the menu that is not to be pressed by mistake; the menu's own look has two classes. */
const apart = {
  '&&&&': {
    marginTop: space.hair,
    borderTop: `1px solid ${colour.line}`,
    borderStartStartRadius: 0,
    borderStartEndRadius: 0,
    color: colour.bad,
  },
} as const

type HeadProps = { lead: Lead; known: ReturnType<typeof useLead>; state: FromList | null; onErased: () => void }

const Head = ({ lead, known: { person, onSaved }, state, onErased }: HeadProps) => {
  const { data: me } = useMe()
  const navigate = useNavigate()
  const { ids = [] } = state ?? {}
  const place = ids.indexOf(lead.id)
  const choices = useLeadKeys({
    leads: [lead],
    shownId: lead.id,
    onStep: (by) => {
      const other = place < 0 ? undefined : ids[place + by]
      if (other) navigate(leadAddress(other), { state, replace: true })
    },
    onChanged: () => onSaved(),
  })
  const [isErasing, setErasing] = useState(false)
  const isMergeable = !lead.suspicion && relatedTo(lead.id, person.data?.leads ?? []).length > 0
  return (
    <>
      {choices}
      <TopBar
        before={
          <>
            <BackToList state={state} />
            <Position id={lead.id} state={state} />
          </>
        }
        title={
          <span css={{ [onPhone]: { fontSize: type.step, '& > span': { fontSize: type.small } } }}>
            <LeadName lead={lead} />
          </span>
        }
        action={
          <NextStep
            lead={lead}
            onChanged={() => {
              // the button disappears
              focusTitle()
              onSaved()
            }}
          />
        }
        menu={
          <>
            <CopyButtons lead={lead} />
            {isMergeable && (
              <Button look="quiet" onClick={() => focusPanel('other-leads')}>
                Merge
              </Button>
            )}
            <FlagButton lead={lead} onChanged={() => onSaved()} onFlagged={focusTitle} />
            {me?.role === 'owner' && (
              <Button look="quiet" onClick={() => setErasing(true)} css={apart}>
                Erase this person
              </Button>
            )}
          </>
        }
      />
      {isErasing && <EraseDialog lead={lead} onClose={() => setErasing(false)} onErased={onErased} />}
    </>
  )
}

const Loaded = ({ id, state }: { id: string; state: FromList | null }) => {
  const known = useLead(id)
  const { lead, person, refresh } = known
  const { data: me } = useMe()
  const [hasErased, setHasErased] = useState(false)
  useTitle(lead.data ? leadInWords(lead.data) : 'Lead')
  const isErasedNow = hasErased || (lead.data && isErased(lead.data))
  const stays = lead.data?.mergedInto
  useEffect(() => {
    if (isErasedNow) removeDraftsAbout(`lead-${id}`)
    else if (stays) moveDrafts(id, stays)
  }, [id, isErasedNow, stays])
  if (stays) return <Navigate to={leadAddress(stays)} state={state} replace />
  if (hasErased) return <Navigate to="/admin-dashboard" replace />
  const back = <BackToList state={state} />
  if (lead.error instanceof HttpError && lead.error.status === 404) {
    return (
      <>
        <TopBar before={back} title="Lead not found" />
        <p>Check the link.</p>
      </>
    )
  }
  return (
    <>
      {!lead.data && <TopBar before={back} title="Lead" />}
      <Pending what="the lead" isLoading={!lead.data || !me} error={lead.error} retry={refresh} />
      {lead.data && isErased(lead.data) && <ErasedLead lead={lead.data} person={person} back={back} />}
      {lead.data && me && !isErased(lead.data) && (
        <>
          <Head lead={lead.data} known={known} state={state} onErased={() => setHasErased(true)} />
          <LeadContent lead={lead.data} accountId={me.id} known={known} />
        </>
      )}
    </>
  )
}

/** The page of one lead, `?id=`, with all its data and the actions of staff. */
export const LeadPage = () => {
  const [query] = useSearchParams()
  const id = query.get('id') ?? ''
  const { state } = useLocation()
  return <Loaded key={id} id={id} state={state} />
}
