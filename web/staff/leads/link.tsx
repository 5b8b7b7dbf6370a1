import { useHref, useLinkClickHandler, useLocation } from 'react-router'
import { ButtonLink } from '../../ui/button.tsx'
import { type FromList, leadAddress } from './address.ts'

/** Leads to the page of a lead, whose title a screen reader gets too: a list has many such links. */
export const LeadLink = ({ id, title }: { id: string; title: string }) => {
  const { pathname, search } = useLocation()
  const address = leadAddress(id)
  const state: FromList = { list: pathname + search }
  return (
    <ButtonLink
      look="quiet"
      href={useHref(address)}
      onClick={useLinkClickHandler(address, { state })}
      aria-label={`Open lead: ${title}`}
    >
      Open lead
    </ButtonLink>
  )
}
