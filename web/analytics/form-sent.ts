/** The event that a form dispatches after it was sent. */
export const FORM_SENT = 'form-sent'

/** Notifies the analytics that a form of this lead source was sent. */
export const notifyFormSent = (leadSource: string) => dispatchEvent(new CustomEvent(FORM_SENT, { detail: leadSource }))
