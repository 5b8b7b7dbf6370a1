import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Hono } from 'hono'
import { beforeAll, describe, expect, test } from 'vitest'
import { runTestProcess } from '../events/local/test-process.ts'
import { readConfig } from './config.ts'
import { loadPages } from './pages.ts'

const NAME = `Bits & "Bobs" </script><script>alert('1')</script>`
const AGENCY = {
  AGENCY_NAME: NAME,
  AGENCY_EMAIL: 'desk@bits.example',
  AGENCY_PHONE: '+27 10 555 0123',
  AGENCY_WHATSAPP: '+27 83 555 0123',
  PUBLIC_URL: 'https://www.bits.example/',
}

let pages: Hono

beforeAll(async () => {
  if (!existsSync('web/dist/routes.json')) await runTestProcess('web/pages/build.ts', {})
  pages = await loadPages(
    readConfig({
      DATABASE_URL: 'postgres://localhost/unused',
      REDIS_URL: 'redis://localhost',
      SESSION_SECRET: 'a secret of the tests',
      ...AGENCY,
    }),
  )
})

const get = (path: string, headers: Record<string, string> = {}) => pages.request(path, { headers })

describe('a page', () => {
  test.each(['/thanks', '/THANKS', '/Thanks/', '/thanks?from=form'])(
    'is found by path in any capitals: %s',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toBe(await (await get('/thanks')).text())
    },
  )

  test.each(['/login', '/admin-dashboard', '/Admin-Submissions', '/admin-chat'])(
    'of staff is their application: %s',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(await (await get('/login')).text())
    },
  )

  test.each([
    '/nothing-here',
    '/admin-other',
    '/assets/none.js',
    '/assets/../routes.json',
    '/%2e%2e/package.json',
    '/constructor',
    '/__proto__',
  ])('that does not exist is the not-found page with its status: %s', async (path) => {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toMatch(/<h1/)
  })

  test('is asked for again by its ETag, and answers 304 without a body where it is the same', async () => {
    const first = await get('/')
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('no-cache')
    expect(etag).toMatch(/^"[\w-]+"$/)
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get('/', { 'if-none-match': tags })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect(again.headers.get('etag')).toBe(etag)
    }
    expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200)
    expect(
      (await get('/nothing-here', { 'if-none-match': (await get('/nothing-here')).headers.get('etag') ?? '' })).status,
    ).toBe(404)
  })

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['BR', 'br'],
    ['identity', null],
    ['', null],
  ])('comes in the encoding that the client takes: %j', async (accepted, encoding) => {
    const response = await get('/', { 'accept-encoding': accepted })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toContain('Accept-Encoding')
    const body = Buffer.from(await response.arrayBuffer())
    const html = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
    expect(html.toString()).toBe(await (await get('/')).text())
  })

  test.each(['/', '/login'])('names the agency, escaped, and leaves no token behind: %s', async (path) => {
    const html = await (await get(path)).text()
    expect(html).not.toMatch(/\{\{[A-Z_]+\}\}/)
    expect(html).not.toContain('<script>alert')
    const [, json = ''] = /<script[^>]*id="agency"[^>]*>([^<]*)<\/script>/.exec(html) ?? []
    expect(JSON.parse(json)).toEqual({
      name: NAME,
      email: 'desk@bits.example',
      phone: '+27 10 555 0123',
      whatsapp: '27835550123',
      publicUrl: 'https://www.bits.example',
    })
    expect(html.replace(json, '')).toContain('Bits &#38; &#34;Bobs&#34;')
  })

  test.each(['/', '/thanks', '/login', '/nothing-here'])('allows only its own scripts: %s', async (path) => {
    const response = await get(path)
    const policy = response.headers.get('content-security-policy') ?? ''
    const allowed = /script-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? []
    const html = await response.text()
    const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].filter(
      ([, attributes = '']) => !/\ssrc=/.test(attributes),
    )
    expect(scripts.length).toBeGreaterThan(0)
    for (const [, , text = ''] of scripts) {
      expect(allowed).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    }
    expect(allowed).not.toContain("'unsafe-inline'")
    expect(policy).toContain("frame-ancestors 'none'")
  })
})

describe('an asset', () => {
  test('is kept for ever, and comes compressed as it was built', async () => {
    const name = (await readdir('web/dist/assets')).find((file) => file.endsWith('.js'))
    const plain = await get(`/assets/${name}`)
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const compressed = await get(`/assets/${name}`, { 'accept-encoding': 'br' })
    expect(compressed.headers.get('content-encoding')).toBe('br')
    const body = brotliDecompressSync(Buffer.from(await compressed.arrayBuffer())).toString()
    expect(body).toBe(await plain.text())
  })
})
