const KEY = 'analytics-choice'

/** What the visitor has said about being counted. */
export type Choice = 'granted' | 'refused'

/** The visitor's choice as this device remembers it; undefined where none was made. */
export const rememberedChoice = (): Choice | undefined => {
  try {
    const choice = localStorage.getItem(KEY)
    return choice === 'granted' || choice === 'refused' ? choice : undefined
  } catch {
    return undefined
  }
}

/** Remembers a choice, where the device allows it. */
export const rememberChoice = (choice: Choice) => {
  try {
    localStorage.setItem(KEY, choice)
  } catch {
    // asked again on the next page
  }
}
