/** Said of a link that opens a tab of its own; it stays on one line. */
export const NEW_TAB = '(new\u00a0tab)'
