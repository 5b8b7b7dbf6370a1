import { namesOf } from '../../../../events/lead/name.ts'
import { colour } from '../../../ui/theme.ts'

/** The lead's person, followed by their company in a quieter style. It fills its line. */
export const LeadName = ({ lead }: { lead: Parameters<typeof namesOf>[0] }) => {
  const { person, company } = namesOf(lead)
  return (
    <>
      {person}
      {company && <span css={{ color: colour.soft, fontWeight: 400 }}>, {company}</span>}
    </>
  )
}
