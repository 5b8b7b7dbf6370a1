/** The event by which a form tells that it was sent. */
export const FORM_SENT = 'form-sent'

/** Tells the analytics that a form of this lead source was sent. */
export const tellFormSent = (leadSource: string) => dispatchEvent(new CustomEvent(FORM_SENT, { detail: leadSource }))
