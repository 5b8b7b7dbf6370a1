import { namesOf } from '../../../events/lead/name.ts'
import { colour } from '../../ui/theme.ts'

/** Who a lead is of: the person, and after it, quietly, their company. It takes the line that it is in. */
export const LeadName = ({ lead }: { lead: Parameters<typeof namesOf>[0] }) => {
  const { person, company } = namesOf(lead)
  return (
    <>
      {person}
      {company && <span css={{ color: colour.soft, fontWeight: 400 }}>, {company}</span>}
    </>
  )
}
