import { CONTACT_METHODS } from '../../../events/base/choices.ts'
import { isContract } from '../../../events/lead/kind.ts'
import { choiceInWords, industryName } from '../../../events/lead/labels.ts'
import type { Lead } from '../../../events/lead/wire.ts'

const PREFERRED: Record<(typeof CONTACT_METHODS)[number]['value'], string> = {
  email: 'Prefers email',
  phone: 'Prefers a call',
  whatsapp: 'Prefers WhatsApp',
}

const preferredOf = (lead: Lead) =>
  industryName(lead) === 'Preferred contact' ? CONTACT_METHODS.find(({ value }) => value === lead.industry) : undefined

/**
 * The way in which a visitor wants to be reached, and the package that they ask about; a contract's chips show its own.
 * For a row.
 */
export const ContactPreference = ({ lead }: { lead: Lead }) => {
  const preferred = preferredOf(lead)
  return (
    <>
      {preferred && <span>{PREFERRED[preferred.value]}</span>}
      {lead.package && !isContract(lead.leadSource) && (
        <span css={{ overflowWrap: 'anywhere' }}>{choiceInWords('package', lead.package)}</span>
      )}
    </>
  )
}
