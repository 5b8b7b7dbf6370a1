import { useRemembered } from '../../staff/remembered.ts'

/** How a list shows its leads: as cards, or a row of 44 px each. */
export const DENSITIES = ['cards', 'rows'] as const

export type Density = (typeof DENSITIES)[number]

/** The look of this browser's lists of leads: chosen once, and remembered. */
export const useDensity = () => useRemembered('leads-density', DENSITIES)
