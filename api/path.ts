import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import { METHOD_NAME_ALL } from 'hono/router'
import { getPath } from 'hono/utils/url'
import { isUuid } from '../events/text.ts'
import { RequestError } from './errors.ts'

const ID = /(?<=\/)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=\/|$)/gi

/** The path of a request, by which its route is found. The ids in a call's path are written in one way: small letters. */
export const pathOf = (request: Request): string => {
  const path = getPath(request)
  return path.startsWith('/api/') ? path.replace(ID, (id) => id.toLowerCase()) : path
}

/**
 * Refuses a call whose path has something else than a UUID where its route has an id, before it is asked who calls: nothing
 * has such an id, and Postgres does not take every text.
 */
export const refuseStrangeIds = createMiddleware(async (c, next) => {
  const route = matchedRoutes(c).find(({ method }) => method !== METHOD_NAME_ALL)
  const given = c.req.path.split('/')
  const isStrange = route?.path.split('/').some((part, at) => part.startsWith(':') && !isUuid(given[at]))
  if (isStrange) throw new RequestError('not_found', 'There is nothing with this id')
  await next()
})
