import { isStored } from '../../client/is-stored.ts'

/** The storage key of a form's draft, by the name in `data-draft`. */
export const draftKey = (name: string | undefined) => `${name}-draft`

/** The session storage key of the last sent form. */
export const sentKey = (name: string | undefined) => `${name}-sent`

/**
 * Whether there is a draft, in the tab or on the device, or a sent form. Every page loads this, so it is separate from
 * the other draft code.
 */
export const hasStored = (name: string | undefined) => isStored(draftKey(name), sentKey(name))
