import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { afterAll, expect, test } from 'vitest'
import { loader, pageLoader } from './load.ts'

const server = createServer(({ url = '' }, response) => {
  const [, status, ...rest] = url.split('/')
  response.writeHead(Number(status), { 'content-type': 'application/json', link: '</200/next?cursor=b>; rel="next"' })
  response.end(JSON.stringify(rest))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => server.close())

const words = v.array(v.string())

test('a key is the address, its parts joined with a slash', async () => {
  expect(await loader(words)([host, '200', 'leads', 'a-1'])).toEqual(['leads', 'a-1'])
  expect(await loader(words)(`${host}/200/leads`)).toEqual(['leads'])
})

test('an answer that is not OK throws with its status, and what the schema does not allow throws too', async () => {
  await expect(loader(words)([host, '401', 'me'])).rejects.toThrow('401: ["me"]')
  await expect(loader(words)([host, '500'])).rejects.toThrow('500: []')
  await expect(loader(v.array(v.number()))([host, '200', 'x'])).rejects.toThrow(v.ValiError)
})

test('an answer of 401 yields null where that is set, and any other throws as ever', async () => {
  const load = loader(words, { on401: 'null' })
  expect(await load([host, '401', 'me'])).toBeNull()
  await expect(load([host, '403', 'me'])).rejects.toThrow('403: ["me"]')
})

test('a page comes with the address of the next one', async () => {
  expect(await pageLoader(words)([host, '200', 'x'])).toEqual({ items: ['x'], next: '/200/next?cursor=b' })
})
