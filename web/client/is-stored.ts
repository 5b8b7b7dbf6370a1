/** Whether the tab or the device has stored one of the keys. A browser that allows no storage throws on access. */
export const isStored = (...keys: string[]): boolean => {
  try {
    return keys.some((key) => sessionStorage[key] || localStorage[key])
  } catch {
    return false
  }
}
