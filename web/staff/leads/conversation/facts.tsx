import type { Lead } from '../../../../events/lead/wire.ts'
import { Panel } from './panel.tsx'
import { RequestDetails } from './request-details.tsx'

export const Facts = ({ lead }: { lead: Lead }) => (
  <Panel id="request" title="What they sent">
    <RequestDetails lead={lead} />
  </Panel>
)
