/** Where a visitor's chat is kept, so that it survives a reload and a change of page within the tab. */
export const CHAT_STORAGE_KEY = 'visitor-chat'
