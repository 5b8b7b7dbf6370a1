/** Where the next page of a list is, by its Link header (RFC 8288); without the host, which is the API's own business. */
export const nextPageOf = ({ headers }: Pick<Response, 'headers'>): string | undefined => {
  const [, address] = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  if (!address) return undefined
  const { pathname, search } = new URL(address, 'http://localhost')
  return pathname + search
}
