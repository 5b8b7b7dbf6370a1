import { useLocation } from 'react-router'
import { ButtonLink } from '../../ui/button.tsx'
import { useGoTo } from '../go-to.ts'
import { type FromList, leadAddress } from './address.ts'

/** Leads to the page of a lead, whose title a screen reader gets too: a list has many such links. */
export const LeadLink = ({ id, title }: { id: string; title: string }) => {
  const { pathname, search } = useLocation()
  const state: FromList = { list: pathname + search }
  return (
    <ButtonLink look="quiet" {...useGoTo(leadAddress(id), state)} aria-label={`Open lead: ${title}`}>
      Open lead
    </ButtonLink>
  )
}
