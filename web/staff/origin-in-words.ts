import type { ActionOrigin } from '../../events/staff/wire.ts'

const OTHER = 'other'

/** `Firefox on Windows`, or the part of it that is known. */
export const machineInWords = ({ browser, system }: Pick<ActionOrigin, 'browser' | 'system'>): string => {
  if (browser === OTHER) return system === OTHER ? 'Unknown browser' : `Unknown browser on ${system}`
  return system === OTHER ? browser : `${browser} on ${system}`
}

/** The stored form of `::1`, the loopback address. */
const LOOPBACK = '0:0:x'

/** `your own address (203.0.x.x)`, or another one; addresses are shown in part, IPv6 ones by their network. */
export const networkInWords = ({ network, isHere }: Pick<ActionOrigin, 'network' | 'isHere'>): string => {
  if (network === LOOPBACK) return isHere ? 'this network' : 'the server’s own network'
  const text = network === OTHER ? 'an unknown address' : network.replace(/^([\da-f]+:[\da-f]+):x$/i, '$1::/32')
  return isHere ? `your own address (${text})` : text
}
