import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Hono } from 'hono'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { FIRST_CLAIMS } from '../events/settings/claims.ts'
import { NO_COMPANY } from '../events/settings/company.ts'
import { DEFAULT_SETTINGS, type Settings } from '../events/settings/settings.ts'
import { NO_SHOWCASE } from '../events/settings/showcase.ts'
import { TEST_DATA_KEY } from '../events/testing/keys.ts'
import { readConfig } from './node/config.ts'
import { loadPages } from './pages.ts'

const builtFile = (name: string) => readFile(`web/dist/${name}`, 'utf8')

const NAME = `Bits & "Bobs" </script><script>alert('1')</script>`
const AGENCY = {
  AGENCY_NAME: NAME,
  AGENCY_EMAIL: 'desk@bits.example',
  AGENCY_PHONE: '+27 10 555 0123',
  AGENCY_WHATSAPP: '+27 83 555 0123',
  PUBLIC_URL: 'https://www.bits.example/',
}

type Routes = Record<'pages' | 'scripts' | 'addedScripts', string[]>
const {
  pages: PUBLIC_PATHS,
  scripts: BUILT_SCRIPTS,
  addedScripts: ADDED_SCRIPTS,
}: Routes = JSON.parse(await builtFile('routes.json'))

/** The bytes that arrive before the first acknowledgement (RFC 6928: ten segments, 14,600 bytes), less the headers. */
const MAX_PAGE_BYTES = 14_000

let pages: Hono

/** Settings that never change. */
const settled = { current: DEFAULT_SETTINGS, onChange: () => () => {} }

const load = (
  env: Record<string, string> = {},
  settings: Parameters<typeof loadPages>[1] = settled,
  now: () => Date = () => new Date(),
) =>
  loadPages(
    readConfig({
      DATABASE_URL: 'postgres://localhost/unused',
      REDIS_URL: 'redis://localhost',
      SESSION_SECRET: 'a secret of the tests',
      DATA_KEY: TEST_DATA_KEY,
      ...AGENCY,
      ...env,
    }),
    settings,
    {
      now,
      onError: (error) => {
        throw error
      },
    },
  )

beforeAll(async () => {
  pages = await load()
})

const get = (path: string, headers: Record<string, string> = {}) => pages.request(path, { headers })
const textOf = async (path: string) => (await get(path)).text()

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

  test('dials the agency from anywhere, however its numbers are set', async () => {
    const local = await load({ AGENCY_PHONE: '021 555 0123', AGENCY_WHATSAPP: '082 555 0123' })
    const page = await (await local.request('/thanks')).text()
    expect(page).toContain('href="tel:+27215550123"')
    expect(page).toContain('href="https://wa.me/27825550123?')
  })

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

  test.each(PUBLIC_PATHS)('arrives within the first round trip of a connection: %s', async (path) => {
    const response = await get(path, { 'accept-encoding': 'br' })
    expect((await response.arrayBuffer()).byteLength).toBeLessThanOrEqual(MAX_PAGE_BYTES)
  })

  test('promises a copy of a contract only if email is sent', async () => {
    const copy = /Your copy<\/dt><dd[^>]*>([^<]*)/
    const textOf = async (app: Hono) => copy.exec(await (await app.request('/contract/premium')).text())?.[1]
    expect(await textOf(pages)).toContain('Save or print this page.')
    expect(await textOf(await load({ SMTP_URL: 'smtp://mail.example' }))).toBe(
      'We email you a copy with your reference.',
    )
  })

  test('is requested again by its ETag, and returns 304 without a body if it is unchanged', async () => {
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
  ])('comes in the encoding that the client accepts: %j', async (accepted, encoding) => {
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
      dial: '+27105550123',
      whatsapp: '27835550123',
      publicUrl: 'https://www.bits.example',
      supportHours: 'Mon-Fri 8AM-6PM SAST',
    })
    expect(html.replace(json, '')).toContain('Bits &#38; &#34;Bobs&#34;')
  })

  test.each(['/', '/thanks', '/login', '/nothing-here'])('allows only its own scripts: %s', async (path) => {
    const response = await get(path)
    const policy = response.headers.get('content-security-policy') ?? ''
    const allowed = /script-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? []
    const html = await response.text()
    const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].filter(
      ([, attributes = '']) => !/\ssrc=|\stype="application\//.test(attributes),
    )
    expect(html).toContain('<script')
    const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(allowed).toEqual(expect.arrayContaining(scripts.map(([, , text]) => hashOf(text))))
    // the build's own scripts that the page contains
    const built = [...BUILT_SCRIPTS.filter((text) => html.includes(text)), ...ADDED_SCRIPTS]
    expect(allowed).toEqual(["'self'", ...(path === '/login' ? [] : built.map(hashOf))])
    expect(allowed).not.toContain("'unsafe-inline'")
    expect(policy).toContain("frame-ancestors 'none'")
  })
})

describe('an asset', () => {
  test('is cached for ever, and comes compressed as it was built', async () => {
    const name = (await readdir('web/dist/assets')).find((file) => file.endsWith('.js'))
    const plain = await get(`/assets/${name}`)
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const compressed = await get(`/assets/${name}`, { 'accept-encoding': 'br' })
    expect(compressed.headers.get('content-encoding')).toBe('br')
    const body = brotliDecompressSync(Buffer.from(await compressed.arrayBuffer())).toString()
    expect(body).toBe(await plain.text())
    expect((await get(`/assets/2/${name}`)).status).toBe(200)
    expect((await get(`/assets/x/${name}`)).status).toBe(404)
  })
})

/** The contents of a page's meta elements by name or property, as a browser reads them. */
const metaOf = (html: string) =>
  new Map(
    [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)].map(([, name, content]) => [
      name,
      content,
    ]),
  )

const linkedData = (html: string) => {
  const [, json] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html) ?? []
  return json === undefined ? undefined : JSON.parse(json)
}

describe('search engines and link previews', () => {
  test.each(PUBLIC_PATHS)('%s has a title, a description of its own, and a picture to share', async (path) => {
    const html = await textOf(path)
    const meta = metaOf(html)
    expect(/<title>([^<]+)<\/title>/.exec(html)?.[1]).toMatch(/ \| Bits &#38; &#34;Bobs&#34;/)
    expect(meta.get('description')?.length).toBeGreaterThan(30)
    expect(meta.get('description')?.length).toBeLessThan(160)
    expect(meta.get('og:description')).toBe(meta.get('description'))
    expect(meta.get('og:url')).toBe(`https://www.bits.example${path}`)
    const picture = new URL(meta.get('og:image') ?? '')
    expect(picture.origin).toBe('https://www.bits.example')
    const png = Buffer.from(await (await get(picture.pathname)).arrayBuffer())
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    const size = [png.readUInt32BE(16), png.readUInt32BE(20)].map(String)
    expect(size).toEqual([meta.get('og:image:width'), meta.get('og:image:height')])
    for (const icon of [...html.matchAll(/<link rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"/g)])
      expect((await get(icon[1] ?? '')).status).toBe(200)
    expect(html.match(/<h1[ >]/g)).toHaveLength(1)
  })

  test('a page is either indexed, with its own address and JSON-LD, or tells them to leave it out', async () => {
    const map = await textOf('/sitemap.xml')
    const mapped = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address)
    const titles = new Set()
    for (const path of PUBLIC_PATHS) {
      const html = await textOf(path)
      const address = `https://www.bits.example${path}`
      const isIndexed = mapped.includes(address)
      expect(html.includes(`<link rel="canonical" href="${address}">`)).toBe(isIndexed)
      expect(html.includes('<meta name="robots" content="noindex">')).toBe(!isIndexed)
      expect(linkedData(html) !== undefined).toBe(isIndexed)
      titles.add(/<title>([^<]+)<\/title>/.exec(html)?.[1])
    }
    expect(titles.size).toBe(PUBLIC_PATHS.length)
    expect(mapped).toEqual(
      expect.arrayContaining(['https://www.bits.example/', 'https://www.bits.example/contract/premium']),
    )
    for (const path of ['/login', '/admin-dashboard', '/nothing-here'])
      expect(await textOf(path)).toContain('<meta name="robots" content="noindex">')
  })

  test('JSON-LD names the agency, and its offers with their prices', async () => {
    const { '@context': context, '@graph': graph } = linkedData(await textOf('/'))
    expect(context).toBe('https://schema.org')
    const node = (type: string) => graph.find((each: { '@type': string }) => each['@type'] === type)
    expect(node('ProfessionalService')).toMatchObject({
      name: NAME,
      url: 'https://www.bits.example/',
      telephone: '+27 10 555 0123',
      email: 'desk@bits.example',
      areaServed: { name: 'South Africa' },
      openingHours: 'Mo-Fr 08:00-18:00',
    })
    const offers: { price: number; priceCurrency: string }[] = node('ProfessionalService').makesOffer
    expect(offers.map(({ price, priceCurrency }) => [price, priceCurrency])).toEqual([
      [999, 'ZAR'],
      [1499, 'ZAR'],
      [1499, 'ZAR'],
    ])
    const contract = linkedData(await textOf('/contract/premium'))['@graph']
    expect(contract[0].makesOffer).toMatchObject([
      {
        '@id': 'https://www.bits.example/contract/premium#offer',
        priceSpecification: [
          { name: 'Setup', price: 1499 },
          { name: 'Monthly fee', price: 499, unitCode: 'MON' },
        ],
        itemOffered: { serviceType: 'Web design' },
      },
    ])
    expect(contract.at(-1)).toMatchObject({ '@type': 'BreadcrumbList' })
  })

  test('robots.txt keeps them out of the API and the staff pages, and names the site map', async () => {
    const robots = await textOf('/robots.txt')
    for (const path of ['/api/', '/admin-', '/login']) expect(robots).toContain(`Disallow: ${path}\n`)
    expect(robots).toContain('Sitemap: https://www.bits.example/sitemap.xml')
  })

  test('the manifest names the agency, whatever its name, and its icons exist', async () => {
    const response = await get('/site.webmanifest')
    expect(response.headers.get('content-type')).toBe('application/manifest+json')
    const manifest = await response.json()
    expect(manifest.name).toBe(NAME)
    for (const { src } of manifest.icons) expect((await get(src)).status).toBe(200)
  })
})

describe('analytics', () => {
  test.each(['/', '/nothing-here', '/login'])('no host of its tag is allowed if no id is set: %s', async (path) => {
    const response = await get(path)
    expect(response.headers.get('content-security-policy')).not.toMatch(/google/)
    expect(await response.text()).not.toMatch(/data-analytics-id="[^"]/)
  })

  test('its tag is allowed if an id is set, only on visitors’ pages', async () => {
    const counted = await load({ ANALYTICS_ID: 'G-TEST123' })
    const home = await counted.request('/')
    expect(await home.text()).toContain('data-analytics-id="G-TEST123"')
    expect(home.headers.get('content-security-policy')).toMatch(/script-src [^;]*https:\/\/www\.googletagmanager\.com/)
    const staff = await counted.request('/admin-dashboard')
    expect(staff.headers.get('content-security-policy')).not.toMatch(/google/)
  })
})

/** A site whose settings and clock a test changes. */
const loadChanging = async (from: Settings = DEFAULT_SETTINGS, at = new Date()) => {
  const listeners: (() => void)[] = []
  let current = from
  let time = at
  const site = await load(
    {},
    {
      get current() {
        return current
      },
      onChange: (listener) => {
        listeners.push(() => listener(current))
        return () => {}
      },
    },
    () => time,
  )
  const tell = () => {
    for (const listener of listeners) listener()
  }
  return {
    home: async (headers: Record<string, string> = {}) => site.request('/', { headers }),
    textOf: async (path: string) => (await site.request(path)).text(),
    get: (path: string) => site.request(path),
    change: (settings: Partial<Settings>) => {
      current = { ...current, ...settings, version: current.version + 1 }
      tell()
    },
    passTo: (instant: string) => {
      time = new Date(instant)
      tell()
    },
  }
}

const WAIT = { timeout: 60_000 }

describe('an offer', () => {
  const SIGNS = /The offer ends|% off|<s[ >]/

  test('that has ended is on no page at all', async () => {
    for (const path of PUBLIC_PATHS) expect([path, SIGNS.exec(await textOf(path))?.[0]]).toEqual([path, undefined])
  })

  test('that runs is in banner, badges and struck prices, and disappears from all of them when its last day is over', async () => {
    const site = await loadChanging(DEFAULT_SETTINGS, new Date('2025-09-30T21:59:59Z'))
    const home = await site.textOf('/')
    expect(home).toContain('50% off the setup of Professional and Premium')
    expect(home).toContain('The offer ends')
    expect(home).toContain('30 September 2025')
    expect(home.match(/>50% off</g)).toHaveLength(2)
    expect(home.match(/<s [^>]*>R4,999</g)).toHaveLength(2)
    for (const path of ['/contract/professional', '/contract/premium'])
      expect(await site.textOf(path)).toMatch(/<s [^>]*>R4,999<[\s\S]*>50% off</)
    expect(await site.textOf('/contract/essential')).not.toMatch(/% off|<s /)
    site.passTo('2025-09-30T22:00:00Z')
    await vi.waitFor(async () => expect((await site.textOf('/')).includes('% off')).toBe(false), WAIT)
    for (const path of ['/', '/contract/premium']) expect(SIGNS.test(await site.textOf(path))).toBe(false)
  })

  test('that owners set shows at once, in their words', async () => {
    const site = await loadChanging()
    const before = (await site.home()).headers.get('etag')
    site.change({
      offer: {
        text: 'Summer: <b>30%</b> off Premium',
        lastDay: '2999-12-24',
        packages: [{ id: 'premium', usualPrice: 2_141 }],
      },
    })
    await vi.waitFor(async () => expect((await site.home()).headers.get('etag')).not.toBe(before), WAIT)
    const home = await site.textOf('/')
    expect(home).toContain('Summer: &lt;b&gt;30%&lt;/b&gt; off Premium')
    expect(home).toContain('24 December 2999')
    expect(home.match(/>30% off</g)).toHaveLength(1)
    expect(home).toMatch(/<s [^>]*>R2,141</)
    expect(await site.textOf('/contract/professional')).not.toMatch(/% off|<s /)
  })
})

describe('the sample sites', () => {
  test.each(['bakery', 'plumber', 'guesthouse'])(
    '%s is a page of its own, with its font, and a picture on the home page',
    async (name) => {
      const page = await get(`/Work/${name}`)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
      const html = await page.text()
      expect(html).not.toMatch(/\{\{|<script/)
      const [, font = ''] = /href="([^"]+\.woff2)" as="font"/.exec(html) ?? []
      expect((await get(font)).status).toBe(200)
      expect(html).toContain(`src:url(${font})`)
      const home = await textOf('/')
      expect(home).toContain(`href="/work/${name}"`)
      const picture = await get(`/work/${name}.avif`)
      expect(picture.headers.get('content-type')).toBe('image/avif')
      expect((await picture.arrayBuffer()).byteLength).toBeLessThanOrEqual(12_000)
    },
  )

  test('nothing on the public pages points at example.com', async () => {
    for (const path of PUBLIC_PATHS)
      expect([path, /example\.com/.exec(await textOf(path))?.[0]]).toEqual([path, undefined])
  })
})

test('the thank-you page confirms a submission only to visitors from a page of the site', async () => {
  const arrivalFrom = async (referer: string) => {
    const response = await get('/thanks', { referer })
    expect(response.headers.get('vary')).toContain('Referer')
    return /data-arrival="(\w+)"/.exec(await response.text())?.[1]
  }
  expect(await arrivalFrom(`${AGENCY.PUBLIC_URL}contract/premium`)).toBe('sent')
  expect(await arrivalFrom('https://elsewhere.example/')).toBe('direct')
  expect(await arrivalFrom('no address')).toBe('direct')
})

test('the page that checks a contract is not stored, and costs no more compression than one response is worth', async () => {
  const response = await get('/contract/verify/3f9a-2c1b', { 'accept-encoding': 'gzip, br' })
  expect(response.status).toBe(404)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-encoding')).toBe('gzip')
})

describe('the agency’s legal details', () => {
  const VAT = 'Our prices include VAT where it applies. Your invoice shows it.'

  test('are on no page until owners set them', async () => {
    for (const path of ['/', '/contract/premium', '/privacy'])
      expect(await textOf(path)).not.toMatch(/Who you sign with|Our guarantee|VAT number/)
    expect(await textOf('/contract/premium')).toContain(VAT)
  })

  test('are at the foot of every page, on contracts and under privacy after that', async () => {
    const site = await loadChanging()
    const company = {
      ...NO_COMPANY,
      registeredName: 'Bits & Co (Pty) Ltd',
      address: '12 Loop Street\nCape Town',
      guarantee: 'Not happy? Your money back.',
    }
    const change = { company: { ...company, vat: 'registered', vatNumber: '4123456789' } } as const
    site.change(change)
    const line = 'Bits &amp; Co (Pty) Ltd · VAT number: 4123456789 · 12 Loop Street, Cape Town'
    await vi.waitFor(async () => expect(await site.textOf('/')).toContain(line), WAIT)
    for (const path of ['/privacy', '/contract/premium', '/thanks']) expect(await site.textOf(path)).toContain(line)
    const contract = await site.textOf('/contract/premium')
    for (const words of ['Who you sign with', 'Our prices include VAT. Your invoice shows it.', 'Not happy?'])
      expect(contract).toContain(words)
    expect(await site.textOf('/')).toContain('Not happy? Your money back.')

    site.change({ company: { ...company, vat: 'not_registered' } })
    const noVat = 'We are not registered for VAT, so no VAT is added to our prices.'
    await vi.waitFor(async () => expect(await site.textOf('/contract/essential')).toContain(noVat), WAIT)
  })
})

describe('the owners’ showcase', () => {
  test('is absent until they set it', async () => {
    const home = await textOf('/')
    for (const absent of ['Follow us', 'What our customers say', 'The people who answer you'])
      expect(home).not.toContain(absent)
  })

  test('claims what owners claim, and nowhere a withdrawn claim', async () => {
    const site = await loadChanging()
    const CLAIMED = /websites delivered|Google<\/dt>|99\.9% uptime|satisfaction guarantee/g
    const claimedOn = async (path: string) => [...new Set((await site.textOf(path)).match(CLAIMED))].sort()
    expect(await claimedOn('/')).toEqual([
      '99.9% uptime',
      'Google</dt>',
      'satisfaction guarantee',
      'websites delivered',
    ])
    expect(await claimedOn('/yourwebsiteproject')).toEqual(['99.9% uptime', 'satisfaction guarantee'])
    const claims = [{ id: 'rating' as const, figure: '4.5', label: 'our rating on Google' }]
    site.change({ showcase: { ...NO_SHOWCASE, claims } })
    await vi.waitFor(async () => expect(await site.textOf('/')).toContain('>4.5<'), WAIT)
    expect(await claimedOn('/yourwebsiteproject')).toEqual([])
    const home = (await site.textOf('/')).replace('Premium hosting, 99.9% uptime', '')
    expect(home.match(CLAIMED)).toEqual(['Google</dt>'])
    // nine tenths of the stars
    expect(home).toContain('inset(0 10% 0 0)')

    site.change({ showcase: { ...NO_SHOWCASE, claims: [] } })
    await vi.waitFor(async () => expect(await site.textOf('/')).not.toContain('>4.5<'), WAIT)
  })

  test('claims facts only with their proof once the company has a registered name', async () => {
    const site = await loadChanging()
    const FIGURE = /<dd[^>]*>.*?([^<>]+)<\/dd>/g
    const claimed = async () => [...(await site.textOf('/')).matchAll(FIGURE)].map(([, figure]) => figure)
    expect(await claimed()).toEqual(['200+', '5 stars', '2 hours', '2–14 days', '99.9%', '100%'])
    const company = { ...NO_COMPANY, registeredName: 'Bits & Co (Pty) Ltd' }
    site.change({ company })
    await vi.waitFor(async () => expect(await claimed()).toEqual(['2 hours', '2–14 days']), WAIT)
    expect(await site.textOf('/yourwebsiteproject')).not.toMatch(/99\.9% uptime|satisfaction/)

    const proof = 'https://status.bits.example'
    const claims = FIRST_CLAIMS.map((claim) => (claim.id === 'uptime' ? { ...claim, proof } : claim))
    site.change({ company: { ...company, guarantee: 'Your money back.' }, showcase: { ...NO_SHOWCASE, claims } })
    await vi.waitFor(async () => expect(await claimed()).toEqual(['2 hours', '2–14 days', '99.9%', '100%']), WAIT)
    expect(await site.textOf('/')).toContain(`<a href="${proof}" target="_blank"`)
  })

  test('proves a claim by a link only if owners have set one', async () => {
    const site = await loadChanging()
    const proven = async () =>
      Object.fromEntries(
        [...(await site.textOf('/')).matchAll(/<dt[^>]*>(?:<a href="([^"]+)"[^>]*>)?([^<]+)/g)].map(
          ([, proof, words]) => [words, proof],
        ),
      )
    expect(Object.values(await proven()).filter(Boolean)).toEqual([])
    const showcase = {
      ...NO_SHOWCASE,
      works: [{ name: 'Nkosi Bakery', href: 'https://www.nkosi.example' }],
      reviews: [{ text: 'They answered within the hour.', name: 'Thandi' }],
    }
    site.change({ showcase, company: { ...NO_COMPANY, guarantee: 'Not happy? Your money back.' } })
    await vi.waitFor(
      async () =>
        expect(await proven()).toMatchObject({
          'websites delivered this year': '#portfolio',
          'our rating on Google': '#reviews',
          'satisfaction guarantee': '#guarantee',
          uptime: undefined,
        }),
      WAIT,
    )
    for (const id of ['portfolio', 'reviews', 'guarantee']) expect(await site.textOf('/')).toContain(`id="${id}"`)

    const google = 'https://maps.app.goo.gl/bits'
    site.change({ showcase: { ...showcase, socialLinks: [{ name: 'Google', href: google }] } })
    await vi.waitFor(async () => expect(await proven()).toHaveProperty(['our rating on Google'], google), WAIT)
  })

  test('is on the pages once set: links, reviews, faces as files of their own, and texts of packages', async () => {
    const site = await loadChanging()
    site.change({
      showcase: {
        socialLinks: [{ name: 'Facebook', href: 'https://www.facebook.com/bits' }],
        works: [{ name: 'Nkosi Bakery', href: 'https://www.nkosi.example' }],
        reviews: [{ text: 'They answered within the hour.', name: 'Thandi, Nkosi Bakery' }],
        people: [
          { name: 'Lerato Mokoena', role: 'Support', photo: 'data:image/webp;base64,UklGRg==' },
          { name: 'Pieter', role: 'Design', photo: null },
        ],
      },
      packages: {
        essential: {
          name: 'Starter',
          once: 1_200,
          monthly: null,
          months: 12,
          noticeDays: 30,
          forWhom: 'For one-person shops.',
          features: ['One long page'],
          delivery: 'In 3 days',
          summary: 'The smallest website that we build.',
          included: ['One page'],
          notIncluded: ['Hosting'],
          terms: ['You pay {price} when it is live.'],
        },
      },
    })
    await vi.waitFor(
      async () => expect((await site.textOf('/')).includes('They answered within the hour.')).toBe(true),
      WAIT,
    )
    const home = await site.textOf('/')
    expect(home).toContain('href="https://www.facebook.com/bits"')
    expect(home).toContain('href="https://www.nkosi.example"')
    expect(linkedData(home)['@graph'][0].sameAs).toEqual(['https://www.facebook.com/bits'])
    expect(home).toContain('For one-person shops.')
    const [, src = ''] = /<img src="(\/people\/\w+)"/.exec(home) ?? []
    const photo = await site.get(src)
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(Buffer.from(await photo.arrayBuffer()).toString('base64')).toBe('UklGRg==')
    const contract = await site.textOf('/contract/essential')
    expect(contract).toContain('The smallest website that we build.')
    expect(contract).toContain('You pay R1,200 when it is live.')
    expect(contract).not.toMatch(/R999|The full/)
    expect(contract).toContain('Starter - R1,200')
    expect(contract).toContain('<title>Starter website package')
    expect(home).toMatch(/Choose (<!-- -->)?Starter/)
    expect(home).toContain('Starter is R1,200 once-off, with no monthly fees.')
    expect(home).toContain('>Starter - R1,200</option>')
    expect(home).not.toMatch(/R999|R1,399/)
    expect(home).toContain('&quot;essential&quot;:1200')
  })
})

test('the support hours are those that owners have set, in each page again when they change', async () => {
  const { home, change } = await loadChanging()
  const first = await home()
  expect(await first.text()).toContain('Mon-Fri 8AM-6PM SAST')
  const etag = first.headers.get('etag') ?? ''

  change({ replies: [] })
  change({ supportHours: { days: [1, 2, 3, 6], opensAtMinute: 450, closesAtMinute: 1440 } })
  await vi.waitFor(async () => expect((await home()).headers.get('etag')).not.toBe(etag), { timeout: 60_000 })
  const changed = await home({ 'if-none-match': etag })
  expect(changed.status).toBe(200)
  const html = await changed.text()
  expect(html).not.toContain('Mon-Fri 8AM-6PM SAST')
  expect(html.match(/Mon-Wed, Sat 7:30AM-12AM SAST/g)?.length).toBeGreaterThan(1)
  expect(linkedData(html)['@graph'][0].openingHours).toBe('Mo-We,Sa 07:30-23:59')
})
