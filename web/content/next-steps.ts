/**
 * The steps after a request, with their times (specification, 2: thank-you page). The two hours are business hours;
 * with script the page shows the moment itself.
 */
export const NEXT_STEPS = [
  { when: 'Within 2 business hours', what: 'We review what you sent us' },
  { when: 'Within 24 hours', what: 'You get your quote' },
  { when: 'Within 48 hours', what: 'We have a kickoff call' },
  { when: '2–14 days after we receive your content', what: 'Your website goes live' },
] as const

const [, QUOTE, KICKOFF] = NEXT_STEPS

/** The steps after each kind of form. The first is due within two support hours; the page shows its time. */
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

/** The steps after a contract is signed; `delivery` is the time by which its package is delivered. */
export const stepsAfterContract = (delivery: string) => ({
  first: 'We get back to you',
  later: [
    KICKOFF,
    { when: 'By email, before we start', what: 'You get your invoice' },
    { when: 'By email or WhatsApp', what: 'You send us your texts, pictures and logo' },
    { when: delivery, what: 'You get your website' },
  ],
})
