export const FORM_SENT = 'form-sent'

export const notifyFormSent = (leadSource: string) => dispatchEvent(new CustomEvent(FORM_SENT, { detail: leadSource }))
