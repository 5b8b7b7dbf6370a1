import type { MouseEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { type FromList, listAddress, placeInHistory } from '../../staff/leads/address.ts'

/**
 * Links from a lead back to the list; if the list is still in the history, it works as the browser's own Back: to the
 * same place.
 */
export const BackToList = ({ state }: { state: FromList | null }) => {
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
