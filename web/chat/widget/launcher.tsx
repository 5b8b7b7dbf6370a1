import { useEffect, useRef } from 'react'
import { ChatIcon } from '../../ui/icons.tsx'
import { inPhoneBar } from '../../ui/phone-bar.tsx'
import { colour, radius, shadow, withBar } from '../../ui/theme.ts'
import { badge } from '../messaging/conversation.ts'
import { Badge } from './badge.tsx'
import { cornerPosition } from './corner-position.ts'

const LAUNCHER_SIZE_PX = 56

/** The round button that opens a closed chat. */
export const Launcher = (props: { unread: number; takesFocus: boolean; onOpen: () => void }) => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (props.takesFocus) button.current?.focus()
  }, [props.takesFocus])
  return (
    <button
      ref={button}
      type="button"
      data-tip="Open chat"
      aria-label={props.unread ? `Open chat, ${badge(props.unread)} unread` : 'Open chat'}
      onClick={props.onOpen}
      css={{
        ...cornerPosition,
        display: 'grid',
        placeItems: 'center',
        width: LAUNCHER_SIZE_PX,
        height: LAUNCHER_SIZE_PX,
        border: `2px solid ${colour.sheet}`,
        borderRadius: radius.round,
        background: colour.accent,
        boxShadow: shadow.floating,
        color: colour.onAccent,
        fontSize: '1.25rem',
        ':hover': { background: colour.accentDeep },
        ':focus-visible': { borderRadius: radius.round },
        ...inPhoneBar,
      }}
    >
      <ChatIcon />
      {props.unread > 0 && (
        <span
          css={{
            position: 'absolute',
            top: -6,
            right: -6,
            lineHeight: 1,
            [withBar]: { top: 2, right: '50%', translate: '1.75rem' },
          }}
        >
          <Badge count={props.unread} />
        </span>
      )}
    </button>
  )
}
