import { inRand } from '../../../events/amount.ts'

const AMOUNT = /^R?\s*(\d{1,3}(?:\s\d{3})+|\d{1,3}(?:,\d{3})+|\d+)(?:[.,](\d*))?$/i

/** `12.500` may be twelve and a half, or twelve thousand five hundred. */
const IS_AMBIGUOUS = /^\D*\d{1,3}\.\d{3}$/

/**
 * An amount in rand as people write it, rounded to cents: `R12,500.50`, `12 500,50` or `12500`. A comma before three digits
 * is one between thousands, as everywhere in the product. Undefined for what is no such amount, or could be two.
 */
export const readRand = (text: string): number | undefined => {
  const [, whole, fraction = ''] = AMOUNT.exec(text.trim()) ?? []
  if (whole === undefined || IS_AMBIGUOUS.test(text.trim())) return undefined
  return Number(Number(`${whole.replace(/[\s,]/g, '')}.${fraction}0`).toFixed(2))
}

/** An amount in rand as `readRand` takes it, without the sign: `12,500.50`, and `12,500` where there are no cents. */
export const writeRand = (rand: number): string => inRand(rand).slice(1)
