import type { ChatSession } from '../../../events/chat/wire.ts'
import { briefMomentOf } from '../../staff/day.ts'
import { unseen } from '../../ui/theme.ts'
import { tipAbove, tipped } from '../../ui/tooltip.ts'

export const StartTime = ({ startTime }: Pick<ChatSession, 'startTime'>) => (
  <span css={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
    <span css={unseen}>Began </span>
    {briefMomentOf(startTime)}
  </span>
)

export const StartPage = ({ pageUrl }: { pageUrl: string }) => (
  <span {...tipped(pageUrl)} css={[tipAbove, { minWidth: 0 }]}>
    <span css={{ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
      {pageUrl}
    </span>
  </span>
)
