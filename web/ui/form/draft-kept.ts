/** Where the draft of a form is kept, under the name that the form says in `data-draft`. */
export const draftKey = (name: string | undefined) => `${name}-draft`

/**
 * Whether there is a draft, in the tab or on the device. Part of the page's first script: hence apart from all else about
 * drafts.
 */
export const hasDraft = (name: string | undefined) => {
  try {
    const key = draftKey(name)
    return !!(sessionStorage[key] || localStorage[key])
  } catch {
    return false
  }
}
