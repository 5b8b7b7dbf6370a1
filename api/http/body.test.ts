import { Hono } from 'hono'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { longestTurn } from '../../events/testing/longest-turn.ts'
import { readInput, validate } from './body.ts'
import { RequestError } from './errors.ts'

const app = new Hono()
  .post('/', async (c) => c.json((await readInput(c, { forms: true })) as object))
  .post('/read', async (c) => c.text(typeof (await readInput(c, { forms: true }))))
  .onError((error, c) => c.text(error.message, error instanceof RequestError ? 422 : 500))

const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary="--a b"'

const part = (name: string, value: string) =>
  `----a b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`)

const send = async (type: string, body: string, path = '/') => {
  const answer = await app.request(path, { method: 'POST', headers: { 'content-type': type }, body })
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

test('text in a field does not create another field', async () => {
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

test.each([
  ['a field of plus signs', URLENCODED, `name=${'+'.repeat(64_000)}`],
  ['nothing but &', URLENCODED, '&'.repeat(64_000)],
  ['a field with very many headers', MULTIPART, part('name', '1').replace('\r\n\r\n', '\r\nX: y'.repeat(10_000))],
  ['very many objects', 'application/json', `{"name":[${'{},'.repeat(20_000)}{}]}`],
  ['a deep list', 'application/json', `{"name":${'['.repeat(31_000)}${']'.repeat(31_000)}}`],
])('other work of the process goes on while bodies with %s are read', async (_, type, body) => {
  expect(
    await longestTurn(() => Promise.all(Array.from({ length: 100 }, () => send(type, body, '/read')))),
  ).toBeLessThan(100)
})

test('the headers of a field are refused if they are too long', async () => {
  const long = part('name', '1').replace('\r\n', `\r\nX: ${'y'.repeat(5_000)}\r\n`)
  expect(await send(MULTIPART, `${long}----a b--\r\n`)).toEqual({
    status: 422,
    text: 'The headers of a field may hold 4096 characters',
  })
})

test('of very many invalid items the first hundred are reported', () => {
  const told = (() => {
    try {
      return validate(v.array(v.string()), Array(30_000).fill(1))
    } catch (error) {
      return (error as RequestError).fields
    }
  })()
  expect(told).toHaveLength(100)
})
