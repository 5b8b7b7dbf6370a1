import * as v from 'valibot'
import { route } from '../http/route.ts'

/** How long a program may cache the document. */
const CACHE = 'public, max-age=300'

let made: Promise<string> | undefined

const make = async (publicUrl: string) => {
  const { makeDocument } = await import('./document.ts')
  return JSON.stringify(await makeDocument(publicUrl))
}

/** All calls, for programs and their authors. The document is made on the first request. */
export const openApiRoute = route('GET', '/api/openapi.json', {
  access: 'anyone',
  summary: 'This document',
  answer: v.looseObject({}),
  handler: async ({ node, c }) => {
    made ??= make(node.config.publicUrl).catch((error) => {
      made = undefined
      throw error
    })
    return c.body(await made, 200, { 'Content-Type': 'application/json', 'Cache-Control': CACHE })
  },
})
