/** A form that makes a lead, as visitors see it. */
export type LeadFormCase = {
  island: 'hero-form' | 'quote-form' | 'contract-form'
  path: string
  name: string
  action: string
  sending: string
  source: string
  what: 'consultation request' | 'quote request' | 'contract'
  /** The title of the toast once it was sent. */
  title: string
  description: string
  /** The text next to the form until it is sent. */
  asked: string
  steps: readonly string[]
}

export const CONSULTATION: LeadFormCase = {
  island: 'hero-form',
  path: '/',
  name: 'Free consultation',
  action: 'Get my free consultation',
  sending: 'Sending...',
  source: 'hero_form',
  what: 'consultation request',
  title: 'Quote Request Sent!',
  description: "We'll get back to you within 2 hours during business hours.",
  asked: 'Leave your details and we’ll call you. Free, no obligation.',
  steps: ['We call you for your free consultation', 'You get your quote', 'You decide, without any obligation'],
}

export const QUOTE: LeadFormCase = {
  island: 'quote-form',
  path: '/',
  name: 'Quote request',
  action: 'Request my quote',
  sending: 'Sending...',
  source: 'contact_form',
  what: 'quote request',
  title: 'Message Sent Successfully!',
  description: 'We typically respond within 2 hours during business hours',
  asked: 'Tell us a little about your business, or contact us directly.',
  steps: ['We get back to you', 'You get your quote', 'We have a kickoff call'],
}

export const CONTRACT: LeadFormCase = {
  island: 'contract-form',
  path: '/contract/premium',
  name: 'Premium contract',
  action: 'Sign the contract',
  sending: 'Submitting...',
  source: 'contract_premium',
  what: 'contract',
  title: 'Contract Submitted Successfully!',
  description: 'A consultant will be in contact soon to discuss project details and next steps.',
  asked: 'Read the terms and complete the form. A consultant will call you about the next steps.',
  steps: [
    'We get back to you',
    'We have a kickoff call',
    'You get your invoice',
    'You send us your texts, pictures and logo',
    'You get your website',
  ],
}

export const LEAD_FORMS = [CONSULTATION, QUOTE, CONTRACT]
