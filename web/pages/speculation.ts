/** Fetches pages that the visitor is about to open; never those of staff. */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    {
      where: { and: [{ href_matches: '/*' }, { not: { href_matches: ['/api/*', '/admin-*', '/login'] } }] },
      eagerness: 'moderate',
    },
  ],
})
