/**
 * What happens after somebody has sent a request, and when (specification, 2: thank-you page). The two hours are business
 * hours: where a script can tell by when that is, it does.
 */
export const NEXT_STEPS = [
  { when: 'Within 2 business hours', what: 'We review what you sent us' },
  { when: 'Within 24 hours', what: 'You get your quote' },
  { when: 'Within 48 hours', what: 'We have a kickoff call' },
  { when: '2–14 days after we receive your content', what: 'Your website goes live' },
] as const

const [, QUOTE, KICKOFF] = NEXT_STEPS

/**
 * What happens after each kind of form. The first step is due within two support hours; its moment is told by the clock.
 */
export const STEPS_AFTER = {
  consultation: {
    first: 'We call you for your free consultation',
    later: [QUOTE, { when: 'In your own time', what: 'You decide, without any obligation' }],
  },
  quote: { first: 'We get back to you', later: [QUOTE, KICKOFF] },
  answers: {
    first: 'We review what you sent us',
    later: [{ when: 'Within 24 hours', what: 'You hear from us about your answers' }, KICKOFF],
  },
} as const

/** What happens after a contract was signed; `delivery` is by when its package is delivered. */
export const stepsAfterContract = (delivery: string) => ({
  first: 'We get back to you',
  later: [
    KICKOFF,
    { when: 'By email, before we start', what: 'You get your invoice' },
    { when: 'By email or WhatsApp', what: 'You send us your texts, pictures and logo' },
    { when: delivery, what: 'You get your website' },
  ],
})
