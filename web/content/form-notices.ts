/** The text at a form that asks for a quote or a consultation. */
export const REQUEST_NOTICE = 'We use these details, and how you found us, only to respond to you.'

export const CONTRACT_NOTICE =
  'We use these details to fulfil your contract. Your signed copy is ready to download as soon as you have signed.'

/** The text next to the button that signs a contract. */
export const SIGNATURE_NOTICE = 'Your full name, as you typed it, is your signature.'

/** The text at the questionnaire; its answers become the prompt for the site. */
export const QUESTIONNAIRE_NOTICE =
  'We use your answers to plan, write and build your website. Until you send them they stay on this device.'
