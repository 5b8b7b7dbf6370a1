/** What marks the entry of the browser's history that an open sheet stands on. */
export const SHEET_ENTRY = 'chatSheet'

/** Whether the browser is on such an entry: after a reload, or on the way back to the page, too. */
export const isSheetEntry = (): boolean => history.state?.[SHEET_ENTRY] === true
