import { describe, expect, test } from 'vitest'
import { fileInWords, MAX_FILE_NAME_CHARACTERS, safeFileName, sniffedType } from './file.ts'

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))

describe('a type', () => {
  test.each([
    ['\x89PNG\r\n\x1a\n…', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF87a', 'image/gif'],
    ['GIF89a<script>alert(1)</script>', 'image/gif'],
    ['RIFF\x10\x00\x00\x00WEBPVP8 ', 'image/webp'],
    ['%PDF-1.7', 'application/pdf'],
  ])('of a file that begins as %j is %s', (text, type) => {
    expect(sniffedType(bytesOf(text))).toBe(type)
  })

  test.each([
    '',
    'PNG',
    '\x89PN',
    'GIF8',
    'GIF88a',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '<?xml version="1.0"?><svg>',
    '<!doctype html>',
    'MZ',
    'RIFF\x10\x00\x00\x00WAVE',
    ' %PDF-1.7',
    '\xef\xbb\xbf%PDF-1.7',
    '<html>%PDF-1.7',
    'PK\x03\x04',
  ])('is none that a chat takes where a file begins as %j', (text) => {
    expect(sniffedType(bytesOf(text))).toBeUndefined()
  })
})

describe('a name', () => {
  test.each([
    ['shop front.png', 'shop front.png'],
    ['photo.JPEG', 'photo.png'],
    ['photo', 'photo.png'],
    ['invoice.pdf.exe', 'invoice.pdf.png'],
    ['Version 1.2', 'Version 1.2.png'],
    ['front.view.png', 'front.view.png'],
    ['../../etc/passwd', 'etc passwd.png'],
    ['C:\\Windows\\calc.exe', 'C Windows calc.png'],
    ['\u202egnp.exe', 'gnp.png'],
    ['a\u200b\u2066b\u2069\ufeff.png', 'ab.png'],
    ['a\r\nSet-Cookie: x=y.png', 'aSet-Cookie x=y.png'],
    ['a"b<c>|?*.png', 'a b c.png'],
    ['.htaccess', 'image.png'],
    ['', 'image.png'],
    [' . ', 'image.png'],
    ['NUL.png', 'image.png'],
    ['\ud800.png', 'image.png'],
    ['Fotó café 店.webp', 'Fotó café 店.png'],
  ])('of %j becomes %j', (given, name) => {
    expect(safeFileName(given, 'image/png')).toBe(name)
  })

  test('has a bounded length and its extension, and never half a character', () => {
    for (const letter of ['x', '店', '🥐']) {
      for (let count = 70; count < 90; count += 1) {
        const name = safeFileName(`${letter.repeat(count)}.pdf`, 'application/pdf')
        expect(name.length).toBeLessThanOrEqual(MAX_FILE_NAME_CHARACTERS)
        expect(name.isWellFormed()).toBe(true)
        expect(name.endsWith(`${letter}.pdf`)).toBe(true)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      }
    }
  })

  test('of a PDF without a usable name is a default word', () => {
    expect(safeFileName('con', 'application/pdf')).toBe('document.pdf')
  })
})

test('the text of a message names its file and its size', () => {
  expect(fileInWords({ name: 'plan.pdf', size: 1 })).toBe('Sent a file: plan.pdf (1 kB)')
  expect(fileInWords({ name: 'plan.pdf', size: 1_572_864 })).toBe('Sent a file: plan.pdf (1.5 MB)')
})
