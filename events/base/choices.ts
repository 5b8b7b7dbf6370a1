/**
 * The quote form's package choices, until owners set their labels (quote-choices.ts). Their prices differ from the
 * packages' on purpose (specification, 9, last paragraph).
 */
export const PACKAGE_CHOICES = [
  { value: 'essential', label: 'Essential - R1,399' },
  { value: 'professional', label: 'Professional - R250/month' },
  { value: 'premium', label: 'Premium - R450/month' },
  { value: 'custom', label: 'Custom' },
] as const

/** How a visitor wants to be reached; stored in the lead's `industry` (specification, 3). */
export const CONTACT_METHODS = [
  { value: 'email', label: 'Email' },
  { value: 'phone', label: 'Phone' },
  { value: 'whatsapp', label: 'WhatsApp' },
] as const

export const TIMELINES = [
  { value: 'asap', label: 'As soon as possible' },
  { value: '2-4weeks', label: '2–4 weeks' },
  { value: '1-2months', label: '1–2 months' },
  { value: 'exploring', label: 'Just exploring' },
] as const
