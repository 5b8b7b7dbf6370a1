import type { Lead } from '../../../events/wire/lead.ts'
import { LongText } from '../../staff/leads/long-text.tsx'
import { Panel } from './panel.tsx'

/** What the visitor wrote: staff open a lead to read it. Nothing where they wrote nothing. */
export const Message = ({ lead }: { lead: Lead }) =>
  lead.message ? (
    <Panel id="message" title="Message">
      <div css={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} dir="auto">
        <LongText text={lead.message} what="message" isBrief />
      </div>
    </Panel>
  ) : null
