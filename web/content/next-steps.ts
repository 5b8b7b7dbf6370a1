/**
 * What happens after somebody has sent a request, and when (specification, 2: thank-you page). The two hours are business
 * hours: where a script can tell by when that is, it does.
 */
export const NEXT_STEPS = [
  { when: 'Within 2 business hours', what: 'We review what you sent us' },
  { when: 'Within 24 hours', what: 'You get your quote' },
  { when: 'Within 48 hours', what: 'We have a kickoff call' },
  { when: 'In 2–14 days', what: 'Your website goes live' },
] as const
