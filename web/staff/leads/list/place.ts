import { createContext, type MouseEvent, useContext, useEffect, useState } from 'react'
import { type Location, useLocation, useNavigationType } from 'react-router'
import { randomId } from '../../../client/random-id.ts'
import { rowId } from '../../list/list-keys.ts'
import { type FromList, isLeadPath, placeInHistory } from '../address.ts'

export const openId = (leadId: string) => `open-${leadId}`

/** The state of the history entry of a preview over a list: the previewed lead, and the list's entry. */
export type OverList = { leadId: string; listEntry: string }

/**
 * Gives a history entry that no link of the app has made a key of its own, which survives a reload: otherwise a page
 * that is opened in a tab would be scrolled as far down as the one that was opened there before.
 */
export const nameEntry = () => {
  if (!history.state?.key) history.replaceState({ ...history.state, key: randomId() }, '')
}

/** The key under which a screen's scroll position is stored: with a preview over it a list is where it was. */
export const scrollKey = ({ key, state }: Location): string => state?.over?.listEntry ?? key

/**
 * The staff member's place in a list as they went from it to a lead: the list's history entry, and how far it was
 * scrolled.
 */
type Place = { entry: string; leadId: string; top: number }

let left: Place | undefined

/** The ids of the leads that a list shows, in its order: a lead opened from it shows its position, and the next one. */
export const ListedIds = createContext<readonly string[] | undefined>(undefined)

/**
 * The parts that a step from a list to a lead needs for the way back: its `state`, and `leaveFor`, called as it is made.
 * From one lead to another the way back stays the one to the list.
 */
export const useWaysBack = () => {
  const { key, pathname, search, state: current } = useLocation()
  const ids = useContext(ListedIds)
  const state: FromList | null = isLeadPath(pathname)
    ? current
    : { list: pathname + search, at: placeInHistory(), ...(ids && { ids }) }
  const leaveFor = (leadId: string) => {
    if (!isLeadPath(pathname)) left = { entry: key, leadId, top: scrollY }
  }
  return { state, leaveFor }
}

/** The same for a link to a lead; `leave` is called as it is pressed. */
export const useWayBack = (leadId: string) => {
  const { state, leaveFor } = useWaysBack()
  const leave = ({ button, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
    // these open a tab or a window, and the list stays open
    if (button === 0 && !ctrlKey && !metaKey && !shiftKey) leaveFor(leadId)
  }
  return { state, leave }
}

/**
 * Restores the staff member's place in the list after a lead: the scroll position, and the focus on the lead. For a
 * list whose leads are loaded. Returns the id of that lead.
 */
export const useReturnToList = (): string | undefined => {
  const { key } = useLocation()
  const how = useNavigationType()
  const [place] = useState(() => (how === 'POP' && left?.entry === key ? left : undefined))
  useEffect(() => {
    if (!place) return
    left = undefined
    scrollTo({ top: place.top, behavior: 'instant' })
    const lead = document.getElementById(rowId(place.leadId)) ?? document.getElementById(openId(place.leadId))
    lead?.focus({ preventScroll: true })
  }, [place])
  return place?.leadId
}
