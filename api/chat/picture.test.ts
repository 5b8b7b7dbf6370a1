import { describe, expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../events/chat-file.ts'
import { assertShowable } from './picture.ts'

const LOOKED_WITHIN_MS = 2_000

const uint16 = (value: number, isLittle = false) => {
  const bytes = Buffer.alloc(2)
  if (isLittle) bytes.writeUInt16LE(value)
  else bytes.writeUInt16BE(value)
  return bytes
}
const latin = (text: string) => Buffer.from(text, 'latin1')

const png = (width: number, height: number) => {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), size, latin('\b\x06\0\0\0')])
}
const gif = (width: number, height: number) =>
  Buffer.concat([latin('GIF89a'), uint16(width, true), uint16(height, true), latin('\0\0\0')])
const jpegAfter = (before: Buffer, width: number, height: number) =>
  Buffer.concat([latin('\xff\xd8'), before, latin('\xff\xc0\0\x11\b'), uint16(height), uint16(width), Buffer.alloc(20)])
/** A segment of what cameras write before the picture: another, smaller picture. */
const thumbnail = latin('\xff\xe1\0\x0e\xff\xd8\xff\xc0\0\x11\b\0\x01\0\x01\0')
const jpeg = (width: number, height: number) => jpegAfter(thumbnail, width, height)
const webp = (width: number, height: number) => {
  const size = Buffer.alloc(6)
  size.writeUIntLE(width - 1, 0, 3)
  size.writeUIntLE(height - 1, 3, 3)
  return Buffer.concat([latin('RIFF\x1e\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0'), size])
}

describe.each([
  ['PNG', png],
  ['GIF', gif],
  ['JPEG', jpeg],
  ['WebP', webp],
])('a %s', (_, picture) => {
  test.each([
    [1, 1],
    [8_000, 5_000],
    [1_080, 16_000],
  ])('of %i × %i pixels can be shown', (width, height) => {
    expect(() => assertShowable(picture(width, height))).not.toThrow()
  })

  test.each([
    [8_001, 5_000, '8,001 × 5,000'],
    [16_000, 16_000, '16,000 × 16,000'],
    [20_001, 1, '20,001 × 1'],
  ])('of %i × %i pixels is refused, with its size and what it may have', (width, height, inWords) => {
    expect(() => assertShowable(picture(width, height))).toThrow(
      `This picture has ${inWords} pixels, which is too many to show. Make it smaller: at most 40 megapixels, and 20,000 pixels on its longer side.`,
    )
  })

  test('that is cut off, or has no pixels, is refused as damaged', () => {
    const damaged = 'This picture is damaged. Save it again, and send it again.'
    expect(() => assertShowable(picture(100, 100).subarray(0, 8))).toThrow(damaged)
    if (picture !== webp) expect(() => assertShowable(picture(0, 100))).toThrow(damaged)
  })
})

test.each([
  ['fill bytes', Buffer.alloc(MAX_FILE_BYTES, 0xff)],
  ['what is no marker', Buffer.alloc(MAX_FILE_BYTES, 0x01)],
  ['segments without content', Buffer.alloc(MAX_FILE_BYTES, latin('\xff\xe1\0\0'))],
])('the size of a JPEG of 5 MiB of %s is looked for once through', (_, filling) => {
  const began = performance.now()
  try {
    assertShowable(jpegAfter(filling, 100, 100))
  } catch (error) {
    expect(String(error)).toContain('damaged')
  }
  expect(performance.now() - began).toBeLessThan(LOOKED_WITHIN_MS)
})
