import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { afterAll, expect, test } from 'vitest'
import { get, getPage } from './get.ts'

const LINKS: [string | undefined, string | undefined][] = [
  ['<https://api.example.com/api/leads?cursor=a&limit=2>; rel="next"', '/api/leads?cursor=a&limit=2'],
  ['</api/chats?cursor=b>;rel="next"', '/api/chats?cursor=b'],
  ['</api/chats?cursor=b>; rel="prev"', undefined],
  [undefined, undefined],
]

const server = createServer(({ url = '' }, response) => {
  const [, status, ...rest] = url.split('/')
  const [link] = LINKS[Number(rest[0])] ?? []
  response.writeHead(Number(status), { 'content-type': 'application/json', ...(link && { link }) })
  response.end(JSON.stringify(rest))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => server.close())

const words = v.array(v.string())

test('a key is the address, its parts joined with a slash', async () => {
  expect(await get([host, '200', 'leads', 'a-1'], words)).toEqual(['leads', 'a-1'])
  expect(await get(`${host}/200/leads`, words)).toEqual(['leads'])
})

test('a response that is not OK throws with its status, and so does one that the schema does not allow', async () => {
  await expect(get([host, '401', 'me'], words)).rejects.toThrow('401: ["me"]')
  await expect(get([host, '500'], words)).rejects.toThrow('500: []')
  await expect(get([host, '200', 'x'], v.array(v.number()))).rejects.toThrow(v.ValiError)
})

test('a response of 401 yields null if that is set, and any other status throws', async () => {
  const set = { on401: 'null' } as const
  expect(await get([host, '401', 'me'], words, set)).toBeNull()
  await expect(get([host, '403', 'me'], words, set)).rejects.toThrow('403: ["me"]')
})

test.each(LINKS.map(([link, next], index) => ({ link, next, page: String(index) })))(
  'a page with the link $link has the next page $next',
  async ({ page, next }) => {
    expect(await getPage([host, '200', page], words)).toEqual({ items: [page], next })
  },
)
