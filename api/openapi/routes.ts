import { Hono } from 'hono'
import type { ApiNode } from '../node.ts'

/** How long a program may keep the document. */
const CACHE = 'public, max-age=300'

/**
 * `/api/openapi.json`: what there is to call, for programs and their authors. It is made when somebody asks for the
 * first time.
 */
export const openApiRoutes = ({ config }: Pick<ApiNode, 'config'>) => {
  let made: Promise<string> | undefined
  const make = async () => {
    const { makeDocument } = await import('./document.ts')
    return JSON.stringify(await makeDocument(config.publicUrl))
  }
  return new Hono().get('/', async (c) => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return c.body(await made, 200, { 'Content-Type': 'application/json', 'Cache-Control': CACHE })
  })
}
