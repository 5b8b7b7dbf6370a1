import { WEBSITE_INFO_SOURCE } from '../../../../events/lead/form/kind.ts'
import { industryName } from '../../../../events/lead/labels.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { receivedMoment } from '../clock/received-in-words.ts'
import { leadCompany } from '../list/groups.ts'

const NO_PROMPT = 'No AI website-generation prompt came with this submission.'

/** Whether the lead came from the questionnaire: copying it then copies its website-generation prompt. */
export const isWebsiteInfo = ({ leadSource }: Lead) => leadSource === WEBSITE_INFO_SOURCE

/** Whether a text is a website-generation prompt, by the phrase with which each of them begins. */
export const hasPrompt = (text: string) => /expert web developer/i.test(text)

export const leadText = (lead: Lead) => {
  if (isWebsiteInfo(lead)) return lead.message || NO_PROMPT
  return `New lead: ${lead.name}

Contact information
Name: ${lead.name}
Email: ${lead.email || 'Not provided'}
Phone: ${lead.phone || 'Not provided'}
Company: ${leadCompany(lead) ?? 'Not provided'}

Lead details
${industryName(lead)}: ${lead.industry || 'Not specified'}
Package interest: ${lead.package || 'Not specified'}
Timeline: ${lead.timeline || 'Not specified'}
Message: ${lead.message || 'No message'}
Lead source: ${lead.leadSource}
Page URL: ${lead.pageUrl || 'Not specified'}

Submitted: ${receivedMoment(lead)}
`
}

export const leadData = (lead: Lead) => JSON.stringify(lead, null, 2)
