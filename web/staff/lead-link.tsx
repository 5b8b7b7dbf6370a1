import { useHref, useLinkClickHandler } from 'react-router'
import { ButtonLink } from '../ui/button.tsx'
import { leadAddress } from './lead-address.ts'

/** Leads to the page of a lead, whose title a screen reader gets too: a list has many such links. */
export const LeadLink = ({ id, title }: { id: string; title: string }) => {
  const address = leadAddress(id)
  return (
    <ButtonLink
      look="quiet"
      href={useHref(address)}
      onClick={useLinkClickHandler(address)}
      aria-label={`Open lead: ${title}`}
    >
      Open lead
    </ButtonLink>
  )
}
