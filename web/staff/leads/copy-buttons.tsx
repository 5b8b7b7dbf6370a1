import type { Lead } from '../../../events/wire/lead.ts'
import { Button } from '../../ui/button.tsx'
import { copyLead, copyLeadData } from './copy.ts'
import { isWebsiteInfo } from './text.ts'

/** Copy a lead as the text of an email, or its prompt, and as data. */
export const CopyButtons = ({ lead }: { lead: Lead }) => (
  <>
    {isWebsiteInfo(lead) ? (
      <Button look="quiet" title="Copies the prompt for a website generator" onClick={() => copyLead(lead)}>
        Copy AI Prompt
      </Button>
    ) : (
      <Button look="quiet" title="Copies the whole lead as the text of an email" onClick={() => copyLead(lead)}>
        Copy Email
      </Button>
    )}
    <Button look="quiet" title="Copies the whole lead as JSON" onClick={() => copyLeadData(lead)}>
      Copy Data
    </Button>
  </>
)
