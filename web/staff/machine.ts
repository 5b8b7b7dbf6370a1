import type { FromWhere } from '../../events/wire/staff.ts'

const OTHER = 'other'

/** `Firefox on Windows`, as far as it is known. */
export const machineInWords = ({ browser, system }: Pick<FromWhere, 'browser' | 'system'>): string => {
  if (browser === OTHER) return system === OTHER ? 'Unknown browser' : `Unknown browser on ${system}`
  return system === OTHER ? browser : `${browser} on ${system}`
}

/** `your own address (203.0.x.x)`, or another one; addresses are told in part. */
export const networkInWords = ({ network, isHere }: Pick<FromWhere, 'network' | 'isHere'>): string => {
  const told = network === OTHER ? 'an unknown address' : network
  return isHere ? `your own address (${told})` : told
}
