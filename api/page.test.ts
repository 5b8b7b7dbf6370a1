import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressed } from './page.ts'

test('a body is compressed once, however many ask for it at the same time', async () => {
  const { br, gzip, identity } = compressed(Buffer.from('a page '.repeat(100)))
  const [first, second] = await Promise.all([br(), br()])
  expect(second).toBe(first)
  expect(await br()).toBe(first)
  expect(brotliDecompressSync(first)).toEqual(identity)
  expect(gunzipSync(await gzip())).toEqual(identity)
})
