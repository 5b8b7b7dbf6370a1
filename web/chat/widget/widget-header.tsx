import type { ReactNode } from 'react'
import { ChatIcon, CloseIcon, MinimiseIcon } from '../../ui/icons.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'
import { ConnectionLight } from '../parts/connection-light.tsx'
import { showChat } from '../visitor/visitor.ts'
import type { VisitorChat } from '../visitor/visitor-state.ts'
import type { Away } from './away-notice.tsx'
import { Badge } from './badge.tsx'
import { TeamFaces, type Teammate } from './team.tsx'

/** Only the header of a minimised chat shows (64 px). */
export const HEADER_HEIGHT_PX = 64

/** A button of the header; with `isWide` it takes all of the header that no other button takes. */
const HeaderButton = (props: { label: string; isWide?: boolean; onClick: () => void; children: ReactNode }) => (
  <button
    type="button"
    aria-label={props.label}
    onClick={props.onClick}
    css={{
      display: 'grid',
      placeItems: 'center',
      width: '2.5rem',
      height: '2.5rem',
      border: 0,
      borderRadius: radius.control,
      background: 'transparent',
      color: 'inherit',
      ':hover': { background: 'rgb(255 255 255 / 14%)' },
      ':focus-visible': { outlineColor: colour.onInk },
      ...(props.isWide ? { '::after': { content: '""', position: 'absolute', inset: 0 } } : { zIndex: 1 }),
    }}
  >
    {props.children}
  </button>
)

/** The upper edge of an open chat: its light, the unread count, and the buttons to make it smaller. */
export const WidgetHeader = ({
  chat,
  away,
  unread,
  team,
}: {
  chat: VisitorChat
  away: Away | undefined
  unread: number
  team: readonly Teammate[]
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
