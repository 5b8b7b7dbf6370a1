import { useState } from 'react'

/** How a list shows its leads: as cards, or a row of 44 px each. */
export const DENSITIES = ['cards', 'rows'] as const

export type Density = (typeof DENSITIES)[number]

const KEY = 'leads-density'

const read = (): Density => {
  try {
    return DENSITIES.find((density) => density === localStorage.getItem(KEY)) ?? 'cards'
  } catch {
    return 'cards'
  }
}

/** How this browser shows lists of leads: it is chosen once, and remembered. */
export const useDensity = () => {
  const [density, setDensity] = useState(read)
  const choose = (next: Density) => {
    setDensity(next)
    try {
      localStorage.setItem(KEY, next)
    } catch {
      // a browser that keeps nothing shows cards next time
    }
  }
  return [density, choose] as const
}
