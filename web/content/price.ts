/** A price as it is written everywhere: R1,499. */
export const inRand = (amount: number) => `R${amount.toLocaleString('en-US')}`

/** The amount of a price as it is written, in rand. */
export const amountOf = (price: string) => Number(price.replace(/\D/g, ''))

const MONTHS_OF_A_CONTRACT = 12

/** What a package costs in its first twelve months: the setup, or the whole, and each month's fee. */
export const firstYearOf = ({ price, monthly }: { price: string; monthly: string | null }) =>
  amountOf(price) + MONTHS_OF_A_CONTRACT * (monthly ? amountOf(monthly) : 0)
