import { isStored } from '../client/is-stored.ts'

/** The key in session storage of the visitor's choice in the preview. */
export const IDEA_STORAGE_KEY = 'site-idea'

/** Whether this tab has stored a choice. Separate from its reader, which pages load only if needed. */
export const hasStoredIdea = () => isStored(IDEA_STORAGE_KEY)
