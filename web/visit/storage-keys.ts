/** The storage keys of the visitor's first touch and of the last one from another site. */
export const FIRST_TOUCH_KEY = 'first-touch'
export const LAST_TOUCH_KEY = 'last-touch'
