/** What stands at a form that asks for a quote or a consultation. */
export const REQUEST_NOTICE = 'We keep what you enter here, and how you found us, to answer your request.'

/** What stands at a contract form; a contract also goes to the agency's inbox. */
export const CONTRACT_NOTICE =
  'We keep what you enter here to carry out your contract, and send a copy to our own inbox by e-mail.'

/** What stands at the questionnaire; its answers become the prompt that a site is made from. */
export const QUESTIONNAIRE_NOTICE =
  'We keep your answers to plan, write and build your website. Until you send them they stay on this device.'
