import type { Lead } from '../../../events/lead/wire.ts'
import { hasAnswers, Words } from '../../staff/leads/words.tsx'
import { Panel } from './panel.tsx'

/** What the visitor wrote: staff open a lead to read it. Nothing where they wrote nothing. */
export const Message = ({ lead }: { lead: Lead }) =>
  lead.message ? (
    <Panel id="message" title={hasAnswers(lead) ? 'Answers' : 'Message'}>
      <Words lead={lead} />
    </Panel>
  ) : null
