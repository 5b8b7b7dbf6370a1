import type { FromWhere } from '../../events/staff/wire.ts'

const OTHER = 'other'

/** `Firefox on Windows`, as far as it is known. */
export const machineInWords = ({ browser, system }: Pick<FromWhere, 'browser' | 'system'>): string => {
  if (browser === OTHER) return system === OTHER ? 'Unknown browser' : `Unknown browser on ${system}`
  return system === OTHER ? browser : `${browser} on ${system}`
}

/** What is stored of `::1`, by which a machine reaches itself. */
const LOOPBACK = '0:0:x'

/** `your own address (203.0.x.x)`, or another one; addresses are told in part, IPv6 ones by the network that they are of. */
export const networkInWords = ({ network, isHere }: Pick<FromWhere, 'network' | 'isHere'>): string => {
  if (network === LOOPBACK) return isHere ? 'this network' : 'the server’s own network'
  const told = network === OTHER ? 'an unknown address' : network.replace(/^([\da-f]+:[\da-f]+):x$/i, '$1::/32')
  return isHere ? `your own address (${told})` : told
}
