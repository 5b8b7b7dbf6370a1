import { ChatIcon, CloseIcon, MinimiseIcon } from '../../ui/icons.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { ConnectionLight } from '../parts/connection-light.tsx'
import { showChat } from '../visitor/visitor-actions.ts'
import type { VisitorChat } from '../visitor/visitor-state.ts'
import type { Away } from './away-notice.tsx'
import { Badge } from './badge.tsx'
import { type ChatAction, ChatMenu } from './chat-menu.tsx'
import { HeaderButton } from './header-button.tsx'
import { TeamFaces, type Teammate } from './team.tsx'

/** Only the header of a minimised chat shows (64 px). */
export const HEADER_HEIGHT_PX = 64

/** The upper edge of an open chat: its light, the unread count, and the buttons to make it smaller. */
export const WidgetHeader = ({
  chat,
  away,
  unread,
  team,
  onAsk,
}: {
  chat: VisitorChat
  away: Away | undefined
  unread: number
  team: readonly Teammate[]
  /** Asks the visitor to confirm an action. */
  onAsk: (action: ChatAction) => void
}) => {
  const isExpanded = chat.view === 'expanded'
  return (
    <div
      css={{
        position: 'relative',
        display: 'flex',
        alignItems: 'center',
        gap: space.hair,
        flex: 'none',
        height: HEADER_HEIGHT_PX,
        padding: `0 ${space.tight} 0 ${space.base}`,
        background: colour.ink,
        color: colour.onInk,
      }}
    >
      {/* a minimised header has room either for the time when the team is back, or for faces */}
      {team.length > 0 && (isExpanded || !away) && <TeamFaces team={team} />}
      <div css={{ display: 'grid', gap: '0.125rem', flex: 1, minWidth: 0 }}>
        <h2 css={{ fontSize: type.body, letterSpacing: 0, lineHeight: 1.3 }}>Live chat</h2>
        <ConnectionLight isConnected={chat.isConnected} back={away?.back} />
      </div>
      {!isExpanded && unread > 0 && <Badge count={unread} />}
      {isExpanded && chat.session && !chat.pendingLink && <ChatMenu chat={chat} onAsk={onAsk} />}
      <HeaderButton
        label={isExpanded ? 'Minimise chat' : 'Expand chat'}
        isWide={!isExpanded}
        onClick={() => showChat(isExpanded ? 'minimised' : 'expanded')}
      >
        {isExpanded ? <MinimiseIcon /> : <ChatIcon />}
      </HeaderButton>
      <HeaderButton label="Close chat" onClick={() => showChat('closed')}>
        <CloseIcon />
      </HeaderButton>
    </div>
  )
}
