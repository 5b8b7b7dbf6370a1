import { firstYearOf, PACKAGE_IDS } from '../settings/prices.ts'
import { CONTRACT_PREFIX } from './kind.ts'

/** The value of a signed contract over its first twelve months, in rand, by the lead's source; null for any other lead. */
export const contractValue = (leadSource: string): number | null => {
  const id = PACKAGE_IDS.find((each) => leadSource === CONTRACT_PREFIX + each)
  return id === undefined ? null : firstYearOf(id)
}
