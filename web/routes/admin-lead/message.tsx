import type { Lead } from '../../../events/lead/wire.ts'
import { hasAnswers, Words } from '../../staff/leads/lead-message.tsx'
import { Panel } from './panel.tsx'

/** The visitor's message: staff open a lead to read it. Nothing if there is none. */
export const Message = ({ lead }: { lead: Lead }) =>
  lead.message ? (
    <Panel id="message" title={hasAnswers(lead) ? 'Answers' : 'Message'}>
      <Words lead={lead} />
    </Panel>
  ) : null
