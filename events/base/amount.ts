// Numbers and amounts as people write and read them: one way for visitors and staff, on every screen and in every email.

const number = new Intl.NumberFormat('en-US')
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** A number with commas between its thousands: 1,499. */
export const inNumbers = (value: number) => number.format(value)

/** An amount in rand: R1,499, or R1,499.50 if there are cents. */
export const inRand = (rand: number) => `R${(Number.isInteger(rand) ? number : cents).format(rand)}`

/** An amount in rand that is short enough for an axis: R16.5K. */
export const inShortRand = (rand: number) => (rand === 0 ? '0' : `R${short.format(rand)}`)

const NUMBER = /^(\d{1,3}(?:\s\d{3})+|\d{1,3}(?:,\d{3})+|\d+)(?:[.,](\d*))?$/

/** `12.500` may mean twelve and a half, or twelve thousand five hundred. */
const IS_AMBIGUOUS = /^[1-9]\d{0,2}\.\d{3}$/

/**
 * A number, an amount in rand or a percentage as people write it: `R12,500.50`, `12 500,50`, `12500` or `12,5 %`. A
 * comma before three digits is one between thousands, as everywhere in the product. Undefined if the text is not such a
 * number, or may mean two different ones.
 */
export const readNumber = (text: string): number | undefined => {
  const bare = text.trim().replace(/^R\s*|\s*%$/i, '')
  const [, whole, fraction = ''] = NUMBER.exec(bare) ?? []
  if (whole === undefined || IS_AMBIGUOUS.test(bare)) return undefined
  return Number(`${whole.replace(/[\s,]/g, '')}.${fraction}0`)
}

/** An amount in rand as people write it, rounded to cents. */
export const readRand = (text: string): number | undefined => {
  const rand = readNumber(text)
  return rand === undefined ? undefined : Number(rand.toFixed(2))
}

/**
 * An amount in rand as `readRand` reads it, without the currency sign: `12,500.50`, or `12,500` if there are no cents.
 */
export const writeRand = (rand: number): string => inRand(rand).slice(1)
