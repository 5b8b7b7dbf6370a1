import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { serve } from '@hono/node-server'
import fastify from 'fastify'
import { Hono } from 'hono'
import * as v from 'valibot'
import { leadForm } from '../../../lead/form/form.ts'
import { submitLead } from '../../../lead/lead.ts'
import { groupCommit, type PeerEvent, singleInserts } from '../append-peers.ts'

// POST /api/leads as frameworks have it: read the body, validate it by the same schema as this product, store one row,
// respond with 201. FRAMEWORK names the framework; with GROUP_COMMIT=1 the rows of many requests share a commit.

const CONNECTIONS = 10
const HOST = '127.0.0.1'

const { DATABASE_URL: databaseUrl = '', PORT = '', FRAMEWORK: framework = '', GROUP_COMMIT: grouped = '' } = process.env
const port = Number(PORT)

let next: PeerEvent
const store = grouped ? groupCommit(databaseUrl, () => next) : singleInserts(databaseUrl, CONNECTIONS, () => next)

/** Stores a form; returns the response to the client. */
const submit = async (input: unknown) => {
  const form = v.parse(leadForm, input)
  const id = randomUUID()
  next = submitLead({ leadId: id, form })
  const timestamp = new Date().toISOString()
  await store.write()
  return { id, ...form, timestamp, followUpStatus: 'new' }
}

const ready = () => process.send?.({ type: 'ready' })

switch (framework) {
  case 'fastify': {
    const app = fastify()
    app.post('/api/leads', async (request, reply) => {
      reply.code(201)
      return submit(request.body)
    })
    await app.listen({ port, host: HOST })
    ready()
    break
  }
  case 'hono': {
    const app = new Hono().post('/api/leads', async (c) => c.json(await submit(await c.req.json()), 201))
    serve({ fetch: app.fetch, port, hostname: HOST }, ready)
    break
  }
  default:
    throw new Error(`There is no framework ${framework}`)
}
for (const event of ['SIGTERM', 'disconnect']) process.on(event, () => process.exit())
