/** The form in which email addresses are compared; null if there is none. */
export const emailKey = (email: string | null): string | null => email?.trim().toLowerCase() || null

/** The addresses without repetitions, each in its first spelling. */
export const distinctAddresses = (addresses: string[]): string[] => {
  const keys = addresses.map(emailKey)
  return addresses.filter((_, index) => keys.indexOf(keys[index] ?? null) === index)
}
