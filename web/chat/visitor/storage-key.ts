import { isStored } from '../../client/is-stored.ts'

/** The storage key of a visitor's chat: in the tab for its next page, and on the device as long as the chat lives. */
export const CHAT_STORAGE_KEY = 'visitor-chat'

export const hasStoredChat = () => isStored(CHAT_STORAGE_KEY)
