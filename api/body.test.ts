import { Hono } from 'hono'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { readInput, validate } from './body.ts'
import { RequestError } from './errors.ts'

const app = new Hono()
  .post('/', async (c) => c.json((await readInput(c, { forms: true })) as object))
  .onError((error, c) => c.text(error.message, error instanceof RequestError ? 422 : 500))

const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary="--a b"'

const part = (name: string, value: string) =>
  `----a b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`)

const send = async (type: string, body: string) => {
  const answer = await app.request('/', { method: 'POST', headers: { 'content-type': type }, body })
  return { status: answer.status, text: await answer.text() }
}

const inTypes = (fields: string[]): [string, string][] => [
  [URLENCODED, fields.map((name) => `${name}=1`).join('&')],
  [MULTIPART, `${fields.map((name) => part(name, '1')).join('')}----a b--\r\n`],
]

test.each(inTypes(names(64)))('a form of 64 fields is read (%s)', async (type, body) => {
  const { status, text } = await send(type, body)
  expect(status).toBe(200)
  expect(Object.keys(JSON.parse(text))).toEqual(names(64))
})

test.each([
  ...inTypes(names(65)),
  [URLENCODED, 'a&'.repeat(32_000)],
  [URLENCODED, '&'.repeat(64_000)],
  [MULTIPART, '----a b\r\n'.repeat(7_000)],
  [`${URLENCODED}; boundary=x`, 'a&'.repeat(32_000)],
  ['multipart/form-data; x-boundary=x; boundary="--a b"', '----a b\r\n'.repeat(7_000)],
])('a form of more fields is refused before it is decoded (%s, %.20s)', async (type, body) => {
  expect(await send(type, body)).toEqual({ status: 422, text: 'A form may hold 64 fields' })
})

test('what is written into a field makes no further field of it', async () => {
  const text = `${'--\r\n'.repeat(200)}&&&=&${'%26'.repeat(100)}`
  const multipart = await send(MULTIPART, `${part('message', text)}----a b--\r\n`)
  expect(JSON.parse(multipart.text)).toEqual({ message: text })
  const urlencoded = await send(URLENCODED, `message=${encodeURIComponent(text)}&agreedToTerms=on`)
  expect(JSON.parse(urlencoded.text)).toEqual({ message: text, agreedToTerms: true })
})

test.each([
  ['multipart/form-data', part('message', 'x')],
  [MULTIPART, 'no parts'],
  [MULTIPART, part('message', 'x')],
])('a form that cannot be decoded is refused (%s)', async (type, body) => {
  expect(await send(type, body)).toEqual({ status: 422, text: 'The body has to be a form' })
})

test('of very many wrong items the first hundred are told', () => {
  const told = (() => {
    try {
      return validate(v.array(v.string()), Array(30_000).fill(1))
    } catch (error) {
      return (error as RequestError).fields
    }
  })()
  expect(told).toHaveLength(100)
})
