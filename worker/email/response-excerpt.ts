const MAX_ANSWER_CHARACTERS = 300
const ADDRESS = /[^\s<>"(),;:]+@[^\s<>"'(),;:]+/g

/**
 * The other side's response, as it is stored for staff: short, storable, and without email addresses, which would
 * outlive the erasure of the person they belong to.
 */
export const excerpt = (text: string): string =>
  text
    .slice(0, 4 * MAX_ANSWER_CHARACTERS)
    .replace(ADDRESS, '…')
    .slice(0, MAX_ANSWER_CHARACTERS)
    .toWellFormed()
    .replaceAll('\0', '')
