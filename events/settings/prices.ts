/** The packages that the agency sells (specification, 9). */
export const PACKAGE_IDS = ['essential', 'professional', 'premium'] as const

export type PackageId = (typeof PACKAGE_IDS)[number]

/** The price of a package in rand: `once` at the start, `monthly` from the day on which the site goes live. */
export type Price = { once: number; monthly: number | null }

/** The prices of an agency that has set none (specification, 9). */
export const DEFAULT_PRICES: Record<PackageId, Price> = {
  essential: { once: 999, monthly: null },
  professional: { once: 1_499, monthly: 299 },
  premium: { once: 1_499, monthly: 499 },
}

/** The price of a similar website elsewhere, in rand. */
export const PRICE_ELSEWHERE = 5_000

/** The months over which prices are compared. */
export const FIRST_YEAR_MONTHS = 12

/** The price of a package in its first twelve months, in rand. */
export const firstYearOf = ({ once, monthly }: Price) => once + FIRST_YEAR_MONTHS * (monthly ?? 0)
