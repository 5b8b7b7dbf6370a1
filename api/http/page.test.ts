import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressed, onceAsked } from './page.ts'

test('a body is compressed once, however many ask for it at the same time', async () => {
  const { br, gzip, identity } = compressed(Buffer.from('a page '.repeat(100)))
  const [first, second] = await Promise.all([br(), br()])
  expect(second).toBe(first)
  expect(await br()).toBe(first)
  expect(brotliDecompressSync(first)).toEqual(identity)
  expect(gunzipSync(await gzip())).toEqual(identity)
})

test('what failed to compress is compressed again when it is next asked for', async () => {
  let tries = 0
  const ask = onceAsked(async () => {
    tries += 1
    if (tries === 1) throw new Error('out of memory')
    return Buffer.from('made')
  })
  await expect(ask()).rejects.toThrow('out of memory')
  expect(String(await ask())).toBe('made')
  expect(String(await ask())).toBe('made')
  expect(tries).toBe(2)
})
