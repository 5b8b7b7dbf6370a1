import * as v from 'valibot'
import { expect, test } from 'vitest'
import { sessionSecret, withLinksSecret } from './signing-keys.ts'

const OLD = 'a secret of last year'
const NEW = 'a secret of this year'

const keysOf = (text: string) => v.parse(sessionSecret, text)

test('each use has its own key, the same on every node with the secret', () => {
  const rings = Object.values(keysOf(OLD))
  expect(new Set([...rings.flat(), OLD]).size).toBe(rings.length + 1)
  expect(Object.values(keysOf(OLD))).toEqual(rings)
})

test('the first secret signs, and later ones still verify', () => {
  const ring = keysOf(`${NEW}, ${OLD}`)
  expect(ring.cookies).toEqual([keysOf(NEW).cookies[0], keysOf(OLD).cookies[0]])
  expect(ring.resumeTokens[1]).toBe(keysOf(OLD).resumeTokens[0])
})

test.each(['short', '', `${OLD},`, `${OLD},short`])('refuses %j', (text) => {
  expect(v.safeParse(sessionSecret, text).success).toBe(false)
})

test('a secret of the links to chats signs nothing else, and leaves the other keys as they were', () => {
  const [own, links] = [keysOf(OLD), keysOf(NEW)]
  expect(withLinksSecret(own, links)).toEqual({ ...own, resumeTokens: links.resumeTokens })
  expect(withLinksSecret(own, undefined)).toEqual(own)
})
