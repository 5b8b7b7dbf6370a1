import { useEffect, useRef, useState } from 'react'
import { MoreIcon } from '../../ui/icons.tsx'
import { colour, radius, shadow, space, type } from '../../ui/theme.ts'
import type { VisitorChat } from '../visitor/visitor-state.ts'
import { HeaderButton } from './header-button.tsx'

/** An action that a visitor confirms before it is taken. */
export type ChatAction = 'end' | 'remove'

export const ChatMenu = ({ chat, onAsk }: { chat: VisitorChat; onAsk: (action: ChatAction) => void }) => {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const leaving = new AbortController()
    const closeOutside = ({ target }: Event) => box.current?.contains(target as Node) || setOpen(false)
    for (const kind of ['pointerdown', 'focusin']) addEventListener(kind, closeOutside, { signal: leaving.signal })
    return () => leaving.abort()
  }, [isOpen])
  const entries = [
    ...(chat.hasEnded ? [] : [{ action: 'end' as const, label: 'End chat', isOff: !chat.isConnected }]),
    { action: 'remove' as const, label: 'Delete from this device', isOff: false },
  ]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the list, not the chat
    <div
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        setOpen(false)
        box.current?.querySelector('button')?.focus()
      }}
      css={{ position: 'relative', zIndex: 1 }}
    >
      <HeaderButton label="More actions" isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <MoreIcon />
      </HeaderButton>
      {isOpen && (
        <div
          css={{
            position: 'absolute',
            top: '100%',
            right: 0,
            display: 'grid',
            width: 'max-content',
            padding: space.hair,
            border: `1px solid ${colour.line}`,
            borderRadius: radius.card,
            background: colour.sheet,
            boxShadow: shadow.floating,
          }}
        >
          {entries.map(({ action, label, isOff }) => (
            <button
              key={action}
              type="button"
              disabled={isOff}
              onClick={() => {
                setOpen(false)
                onAsk(action)
              }}
              css={{
                minHeight: '2.75rem',
                padding: `0 ${space.base}`,
                border: 0,
                borderRadius: radius.control,
                background: 'none',
                color: colour.ink,
                fontSize: type.small,
                textAlign: 'start',
                ':hover:enabled': { background: colour.sunk },
                ':disabled': { cursor: 'not-allowed', opacity: 0.6 },
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
