import { isKept } from '../../is-kept.ts'

/** Where the draft of a form is kept, under the name that the form says in `data-draft`. */
export const draftKey = (name: string | undefined) => `${name}-draft`

/** Where the tab keeps what the form has sent. */
export const sentKey = (name: string | undefined) => `${name}-sent`

/**
 * Whether there is a draft, in the tab or on the device, or what was sent. Part of what every page fetches: hence apart
 * from all else about drafts.
 */
export const hasKept = (name: string | undefined) => isKept(draftKey(name), sentKey(name))
