/** The link by which a number is called. What is dialled within a country only, the 0 of `+27 (0)83`, is left out after its code. */
export const dialOf = (phone: string) =>
  `tel:${phone.replace(/^(\s*(?:\+|00)[^(]*)\(0\)/, '$1').replace(/[^+\d]/g, '')}`
