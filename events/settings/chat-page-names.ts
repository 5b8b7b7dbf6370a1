/** The website's pages on which visitors may chat, by their paths, and their names for staff. */
export const SITE_PAGES = [
  { path: '/', name: 'Home' },
  { path: '/contract/essential', name: 'Essential' },
  { path: '/contract/professional', name: 'Professional' },
  { path: '/contract/premium', name: 'Premium' },
  { path: '/yourwebsiteproject', name: 'Your website project' },
  { path: '/yourwebsiteinfo', name: 'Website questionnaire' },
  { path: '/thanks', name: 'Thank you' },
  { path: '/privacy', name: 'Privacy' },
] as const
