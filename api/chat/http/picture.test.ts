import { describe, expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../../events/chat/file.ts'
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
/** A segment that cameras write before the picture: another, smaller picture. */
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
  ])('of %i × %i pixels is refused, with its size and the limit', (width, height, inWords) => {
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

/** A frame of a GIF, with its own colours and a block of data. */
const gifFrame = ({ left = 0, top = 0, width = 1, height = 1 }) =>
  Buffer.concat([
    latin('!\xf9\x04\0\0\0\0\0,'),
    ...[left, top, width, height].map((value) => uint16(value, true)),
    latin(`\x80${'\0'.repeat(6)}\x02\x02L\x01\0`),
  ])
const gifOf = (...frames: Parameters<typeof gifFrame>[0][]) =>
  Buffer.concat([gif(1, 1), ...frames.map(gifFrame), latin(';')])
const pngChunk = (name: string, bytes: number) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return Buffer.concat([length, latin(name), Buffer.alloc(bytes + 4)])
}
const apngOf = (frames: number) =>
  Buffer.concat([png(1_000, 1_000), Buffer.alloc(4), ...Array(frames).fill(pngChunk('fcTL', 26)), pngChunk('IEND', 0)])
const webpOf = (frames: number) =>
  Buffer.concat([webp(1_000, 1_000), ...Array(frames).fill(latin(`ANMF\x11\0\0\0${'\0'.repeat(18)}`))])

test('a frame of a GIF that is larger than its header says is measured, at any place', () => {
  expect(() => assertShowable(gifOf({}, { width: 8_000, height: 5_000 }))).not.toThrow()
  for (const frames of [
    [{ width: 20_000, height: 16_000 }],
    [{}, { width: 20_000, height: 16_000 }],
    [{ left: 19_999, top: 15_999 }],
  ]) {
    expect(() => assertShowable(gifOf(...frames))).toThrow('This picture has 20,000 × 16,000 pixels')
  }
})

test.each([
  ['GIF', (frames: number) => gifOf(...Array(frames).fill({ width: 1_000, height: 1_000 }))],
  ['PNG', apngOf],
  ['WebP', webpOf],
])('a %s may have 200 megapixels in all frames', (_, pictureOf) => {
  expect(() => assertShowable(pictureOf(200))).not.toThrow()
  expect(() => assertShowable(pictureOf(201))).toThrow(
    'This picture has 201 frames of 1,000 × 1,000 pixels, which are too many to show. Make it smaller or shorter: at most 200 megapixels in all frames.',
  )
})

test.each([
  ['extensions', latin('!\xfe\0')],
  ['what is no block', latin('\0')],
])('the frames of a GIF of 5 MiB of %s are counted in one pass', (_, filling) => {
  const began = performance.now()
  assertShowable(Buffer.concat([gif(1, 1), Buffer.alloc(MAX_FILE_BYTES, filling)]))
  expect(performance.now() - began).toBeLessThan(LOOKED_WITHIN_MS)
})

test.each([
  ['fill bytes', Buffer.alloc(MAX_FILE_BYTES, 0xff)],
  ['what is no marker', Buffer.alloc(MAX_FILE_BYTES, 0x01)],
  ['segments without content', Buffer.alloc(MAX_FILE_BYTES, latin('\xff\xe1\0\0'))],
])('the size of a JPEG of 5 MiB of %s is found in one pass', (_, filling) => {
  const began = performance.now()
  try {
    assertShowable(jpegAfter(filling, 100, 100))
  } catch (error) {
    expect(String(error)).toContain('damaged')
  }
  expect(performance.now() - began).toBeLessThan(LOOKED_WITHIN_MS)
})

test('a GIF of very many small frames is refused without reading all of them', () => {
  const frame = latin(',\0\0\0\0\x01\0\x01\0\0\x02\0')
  const film = Buffer.concat([gif(1, 1), ...Array<Buffer>(Math.floor(MAX_FILE_BYTES / frame.length) - 2).fill(frame)])
  const { user: before } = process.cpuUsage()
  expect(() => assertShowable(film)).toThrow('This picture has over 2,000 frames of 1 × 1 pixels')
  expect(process.cpuUsage().user - before).toBeLessThan(50_000)
})
