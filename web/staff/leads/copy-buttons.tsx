import type { ReactNode } from 'react'
import type { Lead } from '../../../events/lead/wire.ts'
import { Button } from '../../ui/button.tsx'
import { tipAbove, tipped } from '../../ui/tooltip.ts'
import { copyLead, copyLeadData } from './copy-lead.ts'
import { isWebsiteInfo } from './lead-text.ts'

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
