import { isKept } from '../../client/is-kept.ts'

/** Where a visitor's chat is kept: by the tab for its next page, and by the device for as long as the chat lives. */
export const CHAT_STORAGE_KEY = 'visitor-chat'

/** Whether this tab or this device is in a chat. */
export const hasKeptChat = () => isKept(CHAT_STORAGE_KEY)
