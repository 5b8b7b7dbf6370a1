import type { Lead } from '../../../events/wire/lead.ts'
import { Button } from '../../ui/button.tsx'
import { copyLead, copyLeadData } from './copy.ts'
import { isWebsiteInfo } from './text.ts'

/** Copy a lead as the text of an email, or its prompt, and as data. */
export const CopyButtons = ({ lead }: { lead: Lead }) => (
  <>
    <Button look="quiet" onClick={() => copyLead(lead)}>
      {isWebsiteInfo(lead) ? 'Copy AI Prompt' : 'Copy Email'}
    </Button>
    <Button look="quiet" onClick={() => copyLeadData(lead)}>
      Copy Data
    </Button>
  </>
)
