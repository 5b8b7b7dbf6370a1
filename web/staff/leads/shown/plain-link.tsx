import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { leadAddress } from '../address.ts'
import { useWayBack } from '../list/place.ts'

/** A link to a lead in a text or a list; the way back from the lead returns to the link's screen. */
export const PlainLink = ({
  leadId,
  ...link
}: { leadId: string } & Omit<ComponentProps<typeof Link>, 'to' | 'state' | 'onClick'>) => {
  const { state, leave } = useWayBack(leadId)
  return <Link {...link} to={leadAddress(leadId)} state={state} onClick={leave} />
}
