import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressed, onFirstUse } from './page.ts'

test('a body is compressed once for any number of concurrent requests', async () => {
  const { br, gzip, identity } = compressed(Buffer.from('a page '.repeat(100)))
  const [first, second] = await Promise.all([br(), br()])
  expect(second).toBe(first)
  expect(await br()).toBe(first)
  expect(brotliDecompressSync(first)).toEqual(identity)
  expect(gunzipSync(await gzip())).toEqual(identity)
})

test('a body that failed to compress is compressed again on the next request', async () => {
  let tries = 0
  const ask = onFirstUse(async () => {
    tries += 1
    if (tries === 1) throw new Error('out of memory')
    return Buffer.from('made')
  })
  await expect(ask()).rejects.toThrow('out of memory')
  expect(String(await ask())).toBe('made')
  expect(String(await ask())).toBe('made')
  expect(tries).toBe(2)
})
