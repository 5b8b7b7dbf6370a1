import { inRand } from '../base/amount.ts'
import type { PackageId } from './offer.ts'

/** What a package costs in rand: `once` at the start, `monthly` from the day on which the site goes live. */
export type Price = { once: number; monthly: number | null }

/** What the packages cost (specification, 9). Everything that names one of these prices takes it from here. */
export const PRICES: Record<PackageId, Price> = {
  essential: { once: 999, monthly: null },
  professional: { once: 1_499, monthly: 299 },
  premium: { once: 1_499, monthly: 499 },
}

/** What a website like ours costs elsewhere, in rand (specification, 1: marketing claims). */
export const PRICE_ELSEWHERE = 5_000

/** The shortest time that Professional and Premium are taken for, in months (specification, 9). */
export const CONTRACT_MONTHS = 12

/** R999, or R1,499: what is paid at the start. */
export const onceInRand = (id: PackageId) => inRand(PRICES[id].once)

/** R299: what a month costs; empty for a package without a monthly fee. */
export const monthlyInRand = (id: PackageId) => {
  const { monthly } = PRICES[id]
  return monthly === null ? '' : inRand(monthly)
}

const firstYearFees = (id: PackageId) => CONTRACT_MONTHS * (PRICES[id].monthly ?? 0)

/** R3,588: what the monthly fees of the first twelve months come to. */
export const firstYearFeesInRand = (id: PackageId) => inRand(firstYearFees(id))

/** What a package costs in its first twelve months, in rand. */
export const firstYearOf = (id: PackageId) => PRICES[id].once + firstYearFees(id)
