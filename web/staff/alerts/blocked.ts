/**
 * How to allow notifications that the browser blocks: no page can ask for them again. Afterwards `button` is to be
 * pressed.
 */
export const allowAgain = (button: string) =>
  `Your browser blocks notifications from this site. To allow them: 1. Press the icon to the left of the address, and open the site settings there. 2. Set Notifications to "Allow". 3. Reload this page, and press "${button}". If you open this site from a home screen, allow them for it in the settings of the phone or computer.`
