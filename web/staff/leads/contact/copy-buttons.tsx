import type { ReactNode } from 'react'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { tipAbove, tipped } from '../../../ui/tooltip.ts'
import { copyText } from '../../copy-text.ts'
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

const copyLeadData = (lead: Lead) => copyText(leadData(lead), 'Copied to clipboard!')

const Copy = ({ tip, onClick, children }: { tip: string; onClick: () => void; children: ReactNode }) => (
  <Button look="quiet" {...tipped(tip)} onClick={onClick} css={tipAbove}>
    {children}
  </Button>
)

/** Buttons that copy a lead as the text of an email, or its prompt, and as data. */
export const CopyButtons = ({ lead }: { lead: Lead }) => (
  <>
    {isWebsiteInfo(lead) ? (
      <Copy tip="Copies the prompt for a website generator" onClick={() => copyLead(lead)}>
        Copy AI Prompt
      </Copy>
    ) : (
      <Copy tip="Copies the whole lead as the text of an email" onClick={() => copyLead(lead)}>
        Copy Email
      </Copy>
    )}
    <Copy tip="Copies the whole lead as JSON" onClick={() => copyLeadData(lead)}>
      Copy Data
    </Copy>
  </>
)
