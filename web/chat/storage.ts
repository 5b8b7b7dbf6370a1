/** Where a visitor's chat is kept: by the tab for its next page, and by the device for as long as the chat lives. */
export const CHAT_STORAGE_KEY = 'visitor-chat'

/** Whether this tab or this device is in a chat. A browser that allows no storage throws where it is asked. */
export const hasKeptChat = () => {
  try {
    return !!(sessionStorage[CHAT_STORAGE_KEY] || localStorage[CHAT_STORAGE_KEY])
  } catch {
    return false
  }
}
