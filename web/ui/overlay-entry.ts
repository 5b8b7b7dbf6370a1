/** The overlays that Back closes. An opener is named after its overlay: `Open chat`. */
export type Overlay = 'chat' | 'menu'

/** The overlay of the current history entry, also after a reload or on the way back to the page. */
export const overlayEntry = (): Overlay | undefined => history.state?.overlay
