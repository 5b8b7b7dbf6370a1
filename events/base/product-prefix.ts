/** The prefix of the names of exported files: the agency's name in letters and digits that every system accepts. */
export const productPrefix = (agencyName: string) =>
  agencyName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
