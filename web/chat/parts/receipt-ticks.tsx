import { colour } from '../../ui/theme.ts'
import type { Tick as HowFar } from '../messaging/receipts.ts'

const TICK = 'm1 6 3.2 3.2L11 2.4'
const SECOND_TICK = 'm8 9.2.2.2L15 2.6'

/** The receipt of one's own message: one tick, two, or two in colour; the word says it to people who see no ticks. */
export const ReceiptTicks = ({ tick }: { tick: HowFar }) => (
  <span css={{ whiteSpace: 'nowrap', color: tick === 'Seen' ? colour.accent : colour.soft }}>
    <svg
      viewBox={`0 0 ${tick === 'Sent' ? 12 : 16} 11`}
      width={tick === 'Sent' ? 12 : 16}
      height="11"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      css={{ display: 'inline', marginRight: '0.25rem', verticalAlign: '-0.0625rem' }}
    >
      <path d={TICK} />
      {tick !== 'Sent' && <path d={SECOND_TICK} />}
    </svg>
    {tick}
  </span>
)
