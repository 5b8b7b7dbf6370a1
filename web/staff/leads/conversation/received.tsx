import { sourceInWords } from '../../../../events/lead/labels.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { colour, type } from '../../../ui/theme.ts'
import { receivedMoment } from '../clock/received-in-words.ts'

export const Received = ({ lead }: { lead: Lead }) => (
  <span css={{ display: 'block', color: colour.soft, fontSize: type.small }}>
    {sourceInWords(lead.leadSource)}, {receivedMoment(lead)}
  </span>
)
