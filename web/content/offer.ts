/** The offer of the urgency banner (specification, 1 and 9). Prices keep their '50% off' after its end, as specified. */
export const OFFER = {
  text: '50% off the setup of Professional and Premium',
  ends: 'The offer ends 30 September 2025',
  /** The first instant after it, in South African time. */
  until: '2025-10-01T00:00:00+02:00',
} as const

/** Whether the offer runs at an instant, in milliseconds. */
export const offerRuns = (now: number) => now < Date.parse(OFFER.until)
