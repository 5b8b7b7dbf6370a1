import { useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { colour, space, type } from '../ui/theme.ts'
import { openLinkedChat, stayInChat } from './visitor.ts'

/**
 * Asks before a followed link takes the place of the chat that is open: anybody can send a link, and the two chats have
 * nothing to do with each other.
 */
export const LinkQuestion = ({ hasUnsent }: { hasUnsent: boolean }) => {
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => stay.current?.focus(), [])
  return (
    <div
      role="alertdialog"
      aria-labelledby="chat-link-question"
      aria-describedby="chat-link-consequence"
      css={{
        display: 'grid',
        alignContent: 'start',
        gap: space.snug,
        flex: 1,
        padding: `${space.roomy} ${space.roomy}`,
        overflowY: 'auto',
      }}
    >
      <h3 id="chat-link-question" css={{ fontSize: type.body, letterSpacing: 0 }}>
        Leave this chat?
      </h3>
      <div id="chat-link-consequence" css={{ display: 'grid', gap: space.tight, color: colour.soft }}>
        <p>
          The link that you followed opens another conversation. It takes the place of the chat that you are in now.
        </p>
        {hasUnsent && <p>What you wrote here and did not send yet is then lost. It does not go into the other chat.</p>}
        <p>Open it only if the link is from an e-mail that we sent to you.</p>
      </div>
      <Button ref={stay} onClick={stayInChat}>
        Stay in this chat
      </Button>
      <Button look="outline" onClick={openLinkedChat}>
        Open the other conversation
      </Button>
    </div>
  )
}
