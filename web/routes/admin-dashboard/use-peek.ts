import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'
import type { Lead } from '../../../events/lead/wire.ts'
import type { OverList } from '../../staff/leads/list-place.ts'

/** Whether a preview covers the list now, rather than being next to it. */
const isOverList = () => matchMedia('(max-width: 63.99rem)').matches

/**
 * The lead of the list that is shown in the preview. A preview that covers the list has an entry of the history, so
 * that Back closes it and stays in the list; `openedId` is the first one shown.
 */
export const usePeek = (leads: readonly Lead[], openedId: string | undefined) => {
  const here = useLocation()
  const navigate = useNavigate()
  const over: OverList | undefined = here.state?.over
  const [besideId, setBesideId] = useState(over ? undefined : openedId)
  const leaving = useRef<Location>(undefined)

  const peekOver = (leadId: string) => {
    setBesideId(undefined)
    navigate(
      { pathname: here.pathname, search: here.search },
      {
        state: { over: { leadId, listEntry: over?.listEntry ?? here.key } satisfies OverList },
        replace: over !== undefined,
        preventScrollReset: true,
      },
    )
  }
  const goBack = () => {
    leaving.current = here
    navigate(-1)
  }
  const peek = (leadId?: string) => {
    // a second press would leave the list too
    if (leaving.current === here) return
    if (leadId !== undefined && (over || isOverList())) peekOver(leadId)
    else if (over) goBack()
    else setBesideId(leadId)
  }
  const peekedId = over?.leadId ?? besideId
  // a lead that has left the list is not shown, and Back must not leave the list when no preview is open
  const peeked = leads.find(({ id }) => id === peekedId)
  const isGone = over !== undefined && peeked === undefined
  const onGone = useEffectEvent(() => peek())
  useEffect(() => {
    if (isGone) onGone()
  }, [isGone])
  return { peeked, peek }
}
