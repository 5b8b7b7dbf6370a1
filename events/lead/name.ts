/** The names in a lead. It has no person if staff entered only a company, or a file named none. */
type Named = { name: string; businessName: string | null; company?: string | null | undefined }

/** The name of a lead without one. */
export const NAMELESS = 'New Submission'

/**
 * The names of a lead: the person first, and their company after it; the company, or NAMELESS, if there is no person.
 */
export const namesOf = ({ name, businessName, company }: Named): { person: string; company: string | null } => {
  const firm = businessName || company || null
  const person = name || firm || NAMELESS
  return { person, company: firm === person ? null : firm }
}

/** The same in one line: `Ana Botha, Botha Bakery`. */
export const leadInWords = (lead: Named): string => {
  const { person, company } = namesOf(lead)
  return company ? `${person}, ${company}` : person
}
