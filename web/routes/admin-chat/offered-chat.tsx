import { useEffect, useEffectEvent } from 'react'
import type { ChatSession } from '../../../events/chat/wire.ts'
import { visitorNameOf } from '../../staff/chat/visitor-name.ts'
import { isForOthers } from '../../staff/list/list-keys.ts'
import { Button } from '../../ui/button.tsx'
import { space } from '../../ui/theme.ts'

/** Offers the chat that has waited longest while none is chosen: by a button, or by Enter if nothing has the focus. */
export const OfferedChat = ({ session, onOpen }: { session: ChatSession; onOpen: (sessionId: string) => void }) => {
  const open = () => onOpen(session.sessionId)
  const openByKey = useEffectEvent((event: KeyboardEvent) => {
    const isFree = event.target === document.body || (event.target as Element).id === 'content'
    if (event.key !== 'Enter' || !isFree || isForOthers(event)) return
    event.preventDefault()
    open()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => openByKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <Button look="outline" aria-keyshortcuts="Enter" onClick={open} css={{ marginTop: space.snug }}>
      <span>
        Open the longest waiting: <bdi>{visitorNameOf(session.visitorName)}</bdi>
      </span>
    </Button>
  )
}
