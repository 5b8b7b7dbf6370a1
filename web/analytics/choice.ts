const KEY = 'analytics-choice'

/** The visitor's decision about analytics. */
export type Choice = 'granted' | 'refused'

/** The choice stored on this device; undefined if there is none. */
export const rememberedChoice = (): Choice | undefined => {
  try {
    const choice = localStorage.getItem(KEY)
    return choice === 'granted' || choice === 'refused' ? choice : undefined
  } catch {
    return undefined
  }
}

/** Stores the choice, if the device allows it. */
export const rememberChoice = (choice: Choice) => {
  try {
    localStorage.setItem(KEY, choice)
  } catch {
    // asked again on the next page
  }
}
