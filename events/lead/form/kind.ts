import * as v from 'valibot'

/** The sources of leads, as they are counted. A form may name any source: all others count as `other`. */
export const LEAD_SOURCES = [
  'hero_form',
  'contact_form',
  'contract_essential',
  'contract_professional',
  'contract_premium',
  'Website Info Form',
  'live_chat',
  'by_hand',
  'import',
  'other',
] as const

/** The source of the leads that the questionnaire makes (specification, 3). */
export const WEBSITE_INFO_SOURCE = 'Website Info Form' satisfies LeadSource

export type LeadSource = (typeof LEAD_SOURCES)[number]

/** The requested packages, as they are counted: `none` named no package, `other` one that does not exist. */
export const LEAD_PACKAGES = ['essential', 'professional', 'premium', 'custom', 'none', 'other'] as const

export type LeadPackage = (typeof LEAD_PACKAGES)[number]

/**
 * The kind of a lead, in our own words: the only part of a visitor's choices that the log stores in plain text. It
 * outlives an erasure, so that the agency's figures of earlier days stay.
 */
export const leadKind = v.object({
  source: v.picklist(LEAD_SOURCES),
  package: v.picklist(LEAD_PACKAGES),
  isContract: v.boolean(),
})

export type LeadKind = v.InferOutput<typeof leadKind>

/** The prefix of the source of every signed contract. */
export const CONTRACT_PREFIX = 'contract_'

/** Whether a lead of this source is a signed contract. */
export const isContract = (leadSource: string) => leadSource.startsWith(CONTRACT_PREFIX)

/** The sources of signed contracts. */
export const CONTRACT_SOURCES: readonly LeadSource[] = LEAD_SOURCES.filter(isContract)

/** The name, for visitors, of a submission by a form of this source. */
export const sentInWords = (leadSource: string): string => {
  if (isContract(leadSource)) return 'contract'
  if (leadSource === 'hero_form') return 'consultation request'
  return leadSource === 'contact_form' ? 'quote request' : 'request'
}

/** Quote forms name a package by its id, contracts in words that begin with its name. */
const packageOf = (text: string | null): LeadPackage => {
  if (text === null) return 'none'
  const name = /^[a-z]+/.exec(text.toLowerCase())?.[0]
  return LEAD_PACKAGES.find((known) => known === name && known !== 'none') ?? 'other'
}

/** The kind of a lead from its form. */
export const kindOfLead = (form: { leadSource: string; package: string | null }): LeadKind => ({
  source: LEAD_SOURCES.find((source) => source === form.leadSource) ?? 'other',
  package: packageOf(form.package),
  isContract: isContract(form.leadSource),
})
