/**
 * Whether the tab or the device keeps something under one of the names. A browser that allows no storage throws where
 * it is asked.
 */
export const isKept = (...keys: string[]): boolean => {
  try {
    return keys.some((key) => sessionStorage[key] || localStorage[key])
  } catch {
    return false
  }
}
