/** Where a visitor's chat is kept, so that it survives a reload and a change of page within the tab. */
export const CHAT_STORAGE_KEY = 'visitor-chat'

/** Whether this tab was in a chat. A browser that allows no storage throws where it is asked. */
export const hasKeptChat = () => {
  try {
    return sessionStorage.getItem(CHAT_STORAGE_KEY) !== null
  } catch {
    return false
  }
}
