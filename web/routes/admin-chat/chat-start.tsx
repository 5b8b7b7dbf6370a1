import type { ChatSession } from '../../../events/chat/wire.ts'
import { shortMomentOf } from '../../staff/day.ts'
import { tipAbove, tipped } from '../../ui/tooltip.ts'

/** The time at which a chat began, and the page, on one line. */
export const ChatStart = ({ startTime, pageUrl }: Pick<ChatSession, 'startTime' | 'pageUrl'>) => (
  <span {...(pageUrl && tipped(pageUrl))} css={[pageUrl && tipAbove, { display: 'block' }]}>
    <span css={{ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
      Began {shortMomentOf(startTime)}
      {pageUrl && ` · ${pageUrl}`}
    </span>
  </span>
)
