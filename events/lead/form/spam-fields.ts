// Apart from the code that judges them (spam-signals.ts): forms name these fields before they need any rules.

/** A field that no person sees. Its name is one that neither browsers nor people's habits fill in by themselves. */
export const HONEYPOT_FIELD = 'quartz'

/** The field that says how long the page had been open when the form was sent, in milliseconds. */
export const OPEN_FIELD = 'openMs'
