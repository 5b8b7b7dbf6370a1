const KEY = 'chat-greeting'

/** Whether somebody has closed or followed a message beside the chat button in this visit: they see none again. */
export const isGreetingOver = () => {
  try {
    return sessionStorage.getItem(KEY) !== null
  } catch {
    // storage is switched off
    return false
  }
}

export const endGreetings = () => {
  try {
    sessionStorage.setItem(KEY, 'over')
  } catch {
    // storage is switched off
  }
}
