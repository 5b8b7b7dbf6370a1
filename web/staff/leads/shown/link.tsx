import type { MouseEvent } from 'react'
import { ButtonLink } from '../../../ui/button.tsx'
import { useGoTo } from '../../go-to.ts'
import { leadAddress } from '../address.ts'
import { openId, useWayBack } from '../list/place.ts'

/** Links to the screen of a lead, with its title for screen readers: a list has many such links. */
export const LeadLink = ({ id, title }: { id: string; title: string }) => {
  const { state, leave } = useWayBack(id)
  const { href, onClick } = useGoTo(leadAddress(id), state)
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    leave(event)
    onClick(event)
  }
  return (
    <ButtonLink look="quiet" id={openId(id)} href={href} onClick={open} aria-label={`Open lead: ${title}`}>
      Open lead
    </ButtonLink>
  )
}
