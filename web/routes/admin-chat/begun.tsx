import type { ChatSession } from '../../../events/chat/wire.ts'
import { shortMomentOf } from '../../staff/day.ts'
import { tipAbove, tipped } from '../../ui/tooltip.ts'

/** When a chat began, and at which address (specification, 2: live-chat admin), on one line. */
export const Begun = ({ startTime, pageUrl }: Pick<ChatSession, 'startTime' | 'pageUrl'>) => (
  <span {...(pageUrl && tipped(pageUrl))} css={[pageUrl && tipAbove, { display: 'block' }]}>
    <span css={{ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
      Began {shortMomentOf(startTime)}
      {pageUrl && ` · ${pageUrl}`}
    </span>
  </span>
)
