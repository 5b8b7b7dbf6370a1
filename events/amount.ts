// Amounts as people read them: one way for visitors and staff, on every screen and in every email.

const number = new Intl.NumberFormat('en-US')
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** A number with commas between its thousands: 1,499. */
export const inNumbers = (value: number) => number.format(value)

/** An amount in rand: R1,499, and R1,499.50 where there are cents. */
export const inRand = (rand: number) => `R${(Number.isInteger(rand) ? number : cents).format(rand)}`

/** An amount in rand that is short enough for an axis: R16.5K. */
export const inShortRand = (rand: number) => (rand === 0 ? '0' : `R${short.format(rand)}`)
