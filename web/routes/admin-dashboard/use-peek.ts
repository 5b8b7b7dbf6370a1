import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'
import type { Lead } from '../../../events/lead/wire.ts'
import type { OverList } from '../../staff/leads/list/place.ts'

/** Whether a preview covers the list now, rather than being next to it. */
const isOverList = () => matchMedia('(max-width: 63.99rem)').matches

/**
 * The lead of the list that is shown in the preview. A preview that covers the list has an entry of the history, so
 * that Back closes it and stays in the list; `openedId` is the first one shown.
 */
export const usePeek = (leads: readonly Lead[], openedId: string | undefined) => {
  const location = useLocation()
  const navigate = useNavigate()
  const over: OverList | undefined = location.state?.over
  const [ownPeekedId, setPeekedId] = useState(over ? undefined : openedId)
  const leaving = useRef<Location>(undefined)

  const peekOver = (leadId: string) => {
    setPeekedId(undefined)
    navigate(
      { pathname: location.pathname, search: location.search },
      {
        state: { over: { leadId, listEntry: over?.listEntry ?? location.key } satisfies OverList },
        replace: over !== undefined,
        preventScrollReset: true,
      },
    )
  }
  const goBack = () => {
    leaving.current = location
    navigate(-1)
  }
  const peek = (leadId?: string) => {
    // a second press would leave the list too
    if (leaving.current === location) return
    if (leadId !== undefined && (over || isOverList())) peekOver(leadId)
    else if (over) goBack()
    else setPeekedId(leadId)
  }
  const peekedId = over?.leadId ?? ownPeekedId
  // a lead that has left the list is not shown, and Back must not leave the list when no preview is open
  const peeked = leads.find(({ id }) => id === peekedId)
  const isClosed = over !== undefined && peeked === undefined
  const closePeek = useEffectEvent(() => peek())
  useEffect(() => {
    if (isClosed) closePeek()
  }, [isClosed])
  return { peeked, peek }
}
