const AMOUNT = /^R?\s*(\d{1,3}(?:\s\d{3})+|\d+)(?:[.,](\d*))?$/i

/** `12,500` may be twelve and a half, or twelve thousand five hundred. */
const IS_AMBIGUOUS = /^\D*\d{1,3}[.,]\d{3}$/

/**
 * An amount in rand as it is written in South Africa, rounded to cents: `R12 500,50`, with any space between thousands and
 * a comma or a point before the cents. Undefined for what is no such amount, or could be two.
 */
export const readRand = (text: string): number | undefined => {
  const [, whole, fraction = ''] = AMOUNT.exec(text.trim()) ?? []
  if (whole === undefined || IS_AMBIGUOUS.test(text.trim())) return undefined
  return Number(Number(`${whole.replace(/\s/g, '')}.${fraction}0`).toFixed(2))
}

/** An amount in rand as `readRand` takes it: `12 500,50`, and `12 500` where there are no cents. */
export const writeRand = (rand: number): string =>
  rand
    .toFixed(2)
    .replace('.', ',')
    .replace(/\B(?=(\d{3})+,)/g, ' ')
    .replace(',00', '')
