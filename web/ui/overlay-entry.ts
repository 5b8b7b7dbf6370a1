/** What can be open over a page so that Back closes it. Its opener is named after it: `Open chat`. */
export type Overlay = 'chat' | 'menu'

/** Whose entry of the browser's history is the present one: after a reload, or on the way back to the page, too. */
export const overlayEntry = (): Overlay | undefined => history.state?.overlay
