import { isKept } from '../is-kept.ts'

/** Where the choice that a visitor made in the preview is kept, in this tab, until it is closed. */
export const IDEA_STORAGE_KEY = 'site-idea'

/** Whether a choice was kept in this tab. In a file of its own: pages ask before they fetch what reads it. */
export const hasKeptIdea = () => isKept(IDEA_STORAGE_KEY)
