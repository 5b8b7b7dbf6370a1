import { getPath } from 'hono/utils/url'

const ID = /(?<=\/)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=\/|$)/gi

/** The path of a request, by which its route is found. The ids in a call's path are written in one way: small letters. */
export const pathOf = (request: Request): string => {
  const path = getPath(request)
  return path.startsWith('/api/') ? path.replace(ID, (id) => id.toLowerCase()) : path
}
