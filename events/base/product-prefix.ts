/** What the names of exported files begin with: the agency's name in letters and digits that every system takes. */
export const productPrefix = (agencyName: string) =>
  agencyName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
