/** The path of a list's next page from the Link header (RFC 8288), without the host. */
export const nextPageOf = ({ headers }: Pick<Response, 'headers'>): string | undefined => {
  const [, address] = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  if (!address) return undefined
  const { pathname, search } = new URL(address, 'http://localhost')
  return pathname + search
}
