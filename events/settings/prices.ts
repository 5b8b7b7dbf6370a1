import { inRand } from '../base/amount.ts'

/** The packages that the agency sells (specification, 9). */
export const PACKAGE_IDS = ['essential', 'professional', 'premium'] as const

export type PackageId = (typeof PACKAGE_IDS)[number]

/** The price of a package in rand: `once` at the start, `monthly` from the day on which the site goes live. */
export type Price = { once: number; monthly: number | null }

/** The prices of the packages. Everything that names one of these prices takes it from here. */
export const PRICES: Record<PackageId, Price> = {
  essential: { once: 999, monthly: null },
  professional: { once: 1_499, monthly: 299 },
  premium: { once: 1_499, monthly: 499 },
}

/** The price of a similar website elsewhere, in rand. */
export const PRICE_ELSEWHERE = 5_000

/** The minimum term of Professional and Premium, in months (specification, 9). */
export const CONTRACT_MONTHS = 12

/** The price at the start: R999, or R1,499. */
export const onceInRand = (id: PackageId) => inRand(PRICES[id].once)

/** The price of a month: R299; empty for a package without a monthly fee. */
export const monthlyInRand = (id: PackageId) => {
  const { monthly } = PRICES[id]
  return monthly === null ? '' : inRand(monthly)
}

const firstYearFees = (id: PackageId) => CONTRACT_MONTHS * (PRICES[id].monthly ?? 0)

/** The total of the monthly fees of the first twelve months: R3,588. */
export const firstYearFeesInRand = (id: PackageId) => inRand(firstYearFees(id))

/** The price of a package in its first twelve months, in rand. */
export const firstYearOf = (id: PackageId) => PRICES[id].once + firstYearFees(id)
