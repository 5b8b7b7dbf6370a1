/** Where the answers of an unsent questionnaire are kept on the visitor's device. */
export const DRAFT_STORAGE_KEY = 'website-info-draft'

/** Whether there is a draft. Part of the page's first script: hence apart from all else about drafts. */
export const hasDraft = () => {
  try {
    return !!localStorage[DRAFT_STORAGE_KEY]
  } catch {
    return false
  }
}
