import { claiming } from './claims.ts'

export const FEATURES = [
  {
    name: 'Made for phones first',
    artefact: 'phone',
    text: 'Your pages are designed for the phones your customers use.',
  },
  { name: 'Fast', artefact: 'uptime', text: 'Pages load in under 2 seconds.' },
  {
    name: 'Found on Google',
    artefact: 'searchResult',
    text: 'Search engines can read every page, and your Google Business profile is set up.',
  },
  {
    name: 'Looked after',
    artefact: 'addressBar',
    text: 'Domain, hosting, email and SSL come from one place, with one number to call.',
  },
] as const

export const WHATS_INCLUDED = [
  'Design for phone, tablet and desktop',
  'Up to 10 pages, depending on the package',
  'Contact form and WhatsApp link',
  'Social links',
  'Domain (.co.za) with Professional and Premium',
  claiming('uptime', (claim) => `Hosting with ${claim} with Professional and Premium`),
  'Email setup with Professional and Premium',
  'SEO and SSL in every package',
  'Delivery in 2–14 days',
  claiming('guarantee', (claim) => claim),
] as const
