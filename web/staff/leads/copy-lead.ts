import type { Lead } from '../../../events/lead/wire.ts'
import { copyText } from '../copy-text.ts'
import { hasPrompt, isWebsiteInfo, leadData, leadText } from './lead-text.ts'

/** Copies a lead for an email, or its website-generation prompt, and shows which. */
export const copyLead = (lead: Lead) => {
  const text = leadText(lead)
  if (hasPrompt(text)) {
    return copyText(text, 'AI Website Generation Prompt copied', 'Paste it into an external AI site generator.')
  }
  if (isWebsiteInfo(lead)) return copyText(text, 'Copied to clipboard!')
  return copyText(text, 'Copied to clipboard! You can now paste this into an email.')
}

export const copyLeadData = (lead: Lead) => copyText(leadData(lead), 'Copied to clipboard!')
