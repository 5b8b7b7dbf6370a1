/** Pages are fetched ahead when someone is about to follow a link; the staff's are not for visitors. */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    {
      where: { and: [{ href_matches: '/*' }, { not: { href_matches: ['/api/*', '/admin-*', '/login'] } }] },
      eagerness: 'moderate',
    },
  ],
})
