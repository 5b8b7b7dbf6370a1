/** The agency's pages elsewhere. */
export const SOCIAL_LINKS = [
  { name: 'Facebook', href: 'https://example.com/facebook' },
  { name: 'Instagram', href: 'https://example.com/instagram' },
  { name: 'LinkedIn', href: 'https://example.com/linkedin' },
] as const

/** Where the agency works. */
export const SERVICE_AREA = 'All of South Africa'
