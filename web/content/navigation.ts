/** The entries of the sticky bar (specification, 2); all but the first name a section of the home page. */
export const NAVIGATION = [
  { label: 'Home', section: null },
  { label: 'Pricing', section: 'pricing' },
  { label: 'Portfolio', section: 'portfolio' },
  { label: 'FAQ', section: 'faq' },
  { label: 'Contact', section: 'contact' },
] as const

/** The address of an entry on the page that shows it: a section of the home page, or the home page first. */
export const navigationTarget = (section: string | null, atHome: boolean) => {
  if (section) return atHome ? `#${section}` : `/#${section}`
  return atHome ? '#top' : '/'
}
