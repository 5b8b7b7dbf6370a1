import type { ChatSession } from '../../../events/chat/wire.ts'
import { briefMomentOf } from '../../staff/day.ts'
import { unseen } from '../../ui/theme.ts'
import { tipAbove, tipped } from '../../ui/tooltip.ts'
import { pageName } from './pages.ts'

/** The time at which a chat began. */
export const StartTime = ({ startTime }: Pick<ChatSession, 'startTime'>) => (
  <span css={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
    <span css={unseen}>Began </span>
    {briefMomentOf(startTime)}
  </span>
)

/** The page on which a chat began: of our own site without its host. */
export const StartPage = ({ pageUrl }: { pageUrl: string }) => (
  <span {...tipped(pageUrl)} css={[tipAbove, { minWidth: 0 }]}>
    <span css={{ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
      {pageName(pageUrl)}
    </span>
  </span>
)
