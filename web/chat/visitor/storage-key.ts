import { isKept } from '../../client/is-stored.ts'

/** The storage key of a visitor's chat: in the tab for its next page, and on the device as long as the chat lives. */
export const CHAT_STORAGE_KEY = 'visitor-chat'

export const hasKeptChat = () => isKept(CHAT_STORAGE_KEY)
