import { expect, test } from 'vitest'
import { sniffedType } from './chat-file.ts'

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))

test.each([
  ['\x89PNG\r\n\x1a\n…', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF89a', 'image/gif'],
  ['RIFF\x10\x00\x00\x00WEBPVP8 ', 'image/webp'],
  ['%PDF-1.7', 'application/pdf'],
])('a file that begins as %j is %s', (text, type) => {
  expect(sniffedType(bytesOf(text))).toBe(type)
})

test.each([
  '',
  'PNG',
  '\x89PN',
  '<svg xmlns="http://www.w3.org/2000/svg">',
  '<!doctype html>',
  'MZ',
  'RIFF\x10\x00\x00\x00WAVE',
  ' %PDF-1.7',
  'PK\x03\x04',
])('a file that begins as %j is nothing that a chat takes', (text) => {
  expect(sniffedType(bytesOf(text))).toBeUndefined()
})
