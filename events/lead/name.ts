/** What a lead tells of who sent it. It has no person where staff entered a company alone, or a file named none. */
type Named = { name: string; businessName: string | null; company?: string | null | undefined }

/** What stands for a lead that names nobody (specification, 2: advanced dashboard). */
export const NAMELESS = 'New Submission'

/** How a lead is named: the person first, and their company after it; the company, or NAMELESS, where there is no person. */
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
