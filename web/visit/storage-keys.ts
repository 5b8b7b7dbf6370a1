/** Where a device keeps how its visitor came: the first time, and the last time from elsewhere. */
export const FIRST_TOUCH_KEY = 'first-touch'
export const LAST_TOUCH_KEY = 'last-touch'
