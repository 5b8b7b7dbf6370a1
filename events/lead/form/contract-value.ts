import { type OwnPackages, packageOf } from '../../settings/packages.ts'
import { firstYearOf, PACKAGE_IDS, type PackageId } from '../../settings/prices.ts'
import { CONTRACT_PREFIX } from './kind.ts'

/** The package of a contract by the lead's source; undefined for any other lead, and for a package that does not exist. */
export const contractPackage = (leadSource: string): PackageId | undefined =>
  PACKAGE_IDS.find((id) => leadSource === CONTRACT_PREFIX + id)

/** The value of a signed contract over its first twelve months, in rand, by the lead's source; null for any other lead. */
export const contractValue = (leadSource: string, own: OwnPackages): number | null => {
  const id = contractPackage(leadSource)
  return id === undefined ? null : firstYearOf(packageOf(id, own))
}
