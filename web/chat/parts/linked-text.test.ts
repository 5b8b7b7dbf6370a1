import { expect, test } from 'vitest'
import { partsOf } from './linked-text.tsx'

const linksIn = (text: string) => partsOf(text).flatMap(({ text: part, isLink }) => (isLink ? [part] : []))

test.each([
  ['see https://example.co.za/a?b=c#d now', ['https://example.co.za/a?b=c#d']],
  ['(http://example.co.za/a).', ['http://example.co.za/a']],
  ['https://a.example, https://b.example!', ['https://a.example', 'https://b.example']],
  ['<https://a.example/"x">', ['https://a.example/']],
  ['javascript:alert(1) data:text/html,x ftp://a.example www.a.example', []],
  ['https:// and http://:x', []],
])('links in %j are %j, and none of the text is lost', (text, links) => {
  expect(linksIn(text)).toEqual(links)
  expect(
    partsOf(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})
