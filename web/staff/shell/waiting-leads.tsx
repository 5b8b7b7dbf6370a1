import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type WaitingLeads, waitingLeads } from '../../../events/lead/wire.ts'
import { notifyOfNewLeads } from '../alerts/new-leads.ts'
import { since } from '../alerts/shown-alerts.ts'
import { leadAddress } from '../leads/address.ts'
import { useAfterLeadChanges } from '../leads/live/after-changes.ts'
import { useGet } from '../requests/use-get.ts'
import { CountBadge } from './count-badge.tsx'
import { useTitleCount } from './title.ts'

const LEADS_PATHS = ['/admin-today', '/admin-dashboard']

const useWaitingLeads = () => {
  const waiting = useGet('/api/leads/waiting', waitingLeads, {
    poll: 'waiting',
    // a hidden tab has no stream, and notifies of a lead all the same
    refreshWhenHidden: true,
    // other requests of the screen report a lost session or server
    onError: () => {},
  })
  useAfterLeadChanges(() => waiting.mutate())
  return waiting.data
}

/**
 * The number of leads since Today or the dashboard was last in sight in this tab, or since the tab was opened; not the
 * lead whose screen this is.
 */
const useUnseen = (newest: WaitingLeads['newest'] | undefined) => {
  const { pathname, search } = useLocation()
  const isShown = LEADS_PATHS.includes(pathname)
  const [seen, setSeen] = useState<string>()
  const [latest] = newest ?? []
  const isFirst = newest !== undefined && seen === undefined
  useEffect(() => {
    const look = () => {
      if (newest && (isFirst || (isShown && !document.hidden))) setSeen(latest?.timestamp ?? '')
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [newest, latest, isFirst, isShown])
  if (!newest || seen === undefined) return 0
  return since(newest, seen).filter(({ id }) => pathname + search !== leadAddress(id)).length
}

/**
 * The number of leads that wait for their first reply, next to the link to them. New ones show in front of the tab's
 * title until Today or the dashboard is in sight, and this browser notifies of each once, according to its settings.
 */
export const WaitingLeadsBadge = () => {
  const data = useWaitingLeads()
  const newest = data?.newest
  const navigate = useRef(useNavigate())
  useTitleCount('leads', useUnseen(newest))
  useEffect(() => {
    if (!newest) return
    notifyOfNewLeads(newest, (address) => navigate.current(address)).catch((error) =>
      console.warn('New leads could not be announced:', error),
    )
  }, [newest])
  return <CountBadge count={data?.count ?? 0} label="waiting" tone="news" />
}

/** The number of leads that have waited for longer than was promised, next to the link to Today. */
export const OverdueBadge = () => <CountBadge count={useWaitingLeads()?.overdue ?? 0} label="overdue" tone="alarm" />
