import type { Lead } from '../../../events/wire/lead.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { hasPrompt, isWebsiteInfo, leadData, leadText } from './text.ts'

const copy = async (text: string, title: string, description?: string) => {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title, ...(description && { description }), variant: 'default' })
  } catch (error) {
    console.warn('Nothing was copied:', error)
    const why = 'The browser did not allow it. It does on https addresses, and on localhost.'
    toast({ title: 'Nothing was copied', description: why, variant: 'destructive' })
  }
}

/** Copies a lead for an e-mail, or its website-generation prompt, and says which (specification, 8). */
export const copyLead = (lead: Lead) => {
  const text = leadText(lead)
  if (hasPrompt(text)) {
    return copy(text, 'AI Website Generation Prompt copied', 'Paste it into an external AI site generator.')
  }
  if (isWebsiteInfo(lead)) return copy(text, 'Copied to clipboard!')
  return copy(text, 'Copied to clipboard! You can now paste this into an email.')
}

export const copyLeadData = (lead: Lead) => copy(leadData(lead), 'Copied to clipboard!')
