import { getPath } from 'hono/utils/url'

const ID = /(?<=\/)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=\/|$)/gi

/** The path of a request, by which its route is found. Ids in it become lower case. */
export const pathOf = (request: Request): string => {
  const path = getPath(request)
  return path.startsWith('/api/') ? path.replace(ID, (id) => id.toLowerCase()) : path
}
