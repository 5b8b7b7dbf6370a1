import { openLinkedChat, stayInChat } from '../visitor/visitor-actions.ts'
import { Question } from './question.tsx'

/** Asks before a followed link replaces the open chat: anyone can send a link, and the two chats are unrelated. */
export const LinkQuestion = ({ hasUnsent }: { hasUnsent: boolean }) => (
  <Question
    id="chat-link-question"
    title="Leave this chat?"
    safe="Stay in this chat"
    onSafe={stayInChat}
    final="Open the other conversation"
    onFinal={openLinkedChat}
  >
    <p>The link that you followed opens another conversation. It takes the place of the chat that you are in now.</p>
    {hasUnsent && <p>Your unsent text is then lost. It does not go into the other chat.</p>}
    <p>Open it only if the link is from an email that we sent to you.</p>
  </Question>
)
