/** An error whose message says all that an operator needs: they are shown no stack. */
export class PlainError extends Error {}
