import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import type { LiveSettings } from '../events/log/live-settings.ts'
import { hoursInWords, openingHours, type SupportHours } from '../events/support-hours.ts'
import type { Config } from './config.ts'

const DIST = new URL('../web/dist/', import.meta.url)

const routesFile = v.object({ pages: v.record(v.string(), v.string()), staff: v.array(v.string()) })

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
}

/** Something to send, held in memory in each encoding that it was made in. */
type Page = {
  type: string
  etag: string
  cacheControl: string
  policy: string | undefined
  bodies: { br?: Buffer; gzip?: Buffer; identity: Buffer }
}

type Escape = (text: string) => string

const escapeHtml: Escape = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/** For the inside of a JSON string, which may stand within a script element. */
const escapeJson: Escape = (text) => JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c')

const asItIs: Escape = (text) => text

const TOKEN = /\{\{([A-Z_]+)\}\}/g
const JSON_ELEMENT_OR_TOKEN = /(<script type="application\/(?:ld\+)?json"[^>]*>)([^<]*)|\{\{[A-Z_]+\}\}/g

/** The agency's particulars by the names of their tokens. A `tel:` link holds no spaces, WhatsApp's no more than digits. */
const particulars = (
  { agency, publicUrl, analyticsId }: Config,
  supportHours: SupportHours,
): Record<string, string> => ({
  AGENCY_NAME: agency.name,
  AGENCY_EMAIL: agency.email,
  AGENCY_PHONE: agency.phone,
  AGENCY_DIAL: agency.phone.replace(/[^+\d]/g, ''),
  AGENCY_WHATSAPP: agency.whatsapp.replace(/\D/g, ''),
  PUBLIC_URL: publicUrl,
  ANALYTICS_ID: analyticsId ?? '',
  SUPPORT_HOURS: hoursInWords(supportHours),
  OPENING_HOURS: openingHours(supportHours),
})

/** Fills in the agency's particulars: one build serves any agency. */
const fillIn = (text: string, values: Record<string, string>, written: Escape) =>
  text.replace(TOKEN, (token, name) => (name in values ? written(values[name] ?? '') : token))

/** The same for a page, each part by its own rules. In one pass: a name that looks like a token stays as it is. */
const fillInHtml = (html: string, values: Record<string, string>) =>
  html.replace(JSON_ELEMENT_OR_TOKEN, (token, open, json) =>
    open ? open + fillIn(json, values, escapeJson) : fillIn(token, values, escapeHtml),
  )

/** The files at the root that name the agency, and how each wants it written. */
const FILLED_FILES: Record<string, Escape> = {
  '.json': escapeJson,
  '.txt': asItIs,
  '.webmanifest': escapeJson,
  '.xml': escapeHtml,
}

/** The hosts of Google's tag, which visitors reach only where an id is set and only after their consent. */
const ANALYTICS_HOSTS = {
  script: ' https://www.googletagmanager.com',
  image: ' https://www.googletagmanager.com https://*.google-analytics.com',
  connect: ' https://*.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com',
}
const NO_HOSTS = { script: '', image: '', connect: '' }

/** Allows the scripts that stand in the page by their hashes, all else only from our own origin. */
const contentPolicy = (html: string, hosts: typeof NO_HOSTS) => {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)]
  const hashes = inline.map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return [
    "default-src 'self'",
    `script-src 'self' ${[...new Set(hashes)].join(' ')}`.trim() + hosts.script,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data:${hosts.image}`,
    `connect-src 'self'${hosts.connect}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}

const etagOf = (body: Buffer) => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

const compressed = async (identity: Buffer) => ({
  br: await promisify(brotliCompress)(identity),
  gzip: await promisify(gzip)(identity),
  identity,
})

const readHtml = (file: string) => readFile(new URL(`pages/${file}`, DIST), 'utf8')

const htmlPage = async (template: string, values: Record<string, string>, hosts = NO_HOSTS): Promise<Page> => {
  const html = fillInHtml(template, values)
  const identity = Buffer.from(html)
  return {
    type: 'text/html; charset=utf-8',
    etag: etagOf(identity),
    cacheControl: 'no-cache',
    policy: contentPolicy(html, hosts),
    bodies: await compressed(identity),
  }
}

const loadFolder = async (folder: string, cacheControl: string): Promise<Map<string, Page>> => {
  const root = new URL(`${folder}/`, DIST)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.pathname.length).replace(/^\/+/, ''))
  const known = new Set(names)
  const pages = new Map<string, Page>()
  for (const name of names) {
    if (/\.(br|gz)$/.test(name)) continue
    const identity = await readFile(new URL(name, root))
    pages.set(name, {
      type: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
      etag: etagOf(identity),
      cacheControl,
      policy: undefined,
      bodies: {
        identity,
        ...(known.has(`${name}.br`) && { br: await readFile(new URL(`${name}.br`, root)) }),
        ...(known.has(`${name}.gz`) && { gzip: await readFile(new URL(`${name}.gz`, root)) }),
      },
    })
  }
  return pages
}

/** The files at the root with the agency's particulars in those that name them. */
const filledFiles = async (templates: Map<string, Page>, values: Record<string, string>) => {
  const files = new Map(templates)
  for (const [name, page] of templates) {
    const written = FILLED_FILES[extname(name)]
    if (!written) continue
    const filled = Buffer.from(fillIn(page.bodies.identity.toString(), values, written))
    files.set(name, { ...page, etag: etagOf(filled), bodies: await compressed(filled) })
  }
  return files
}

/** The encodings that a client takes, the best first; one with `q=0` is refused (RFC 9110, 12.5.3). */
const chooseEncoding = (accepted: string, { br, gzip: zipped }: Page['bodies']): 'br' | 'gzip' | 'identity' => {
  const taken = new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.trim().toLowerCase().split(';')
      const q = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return [name.trim(), q === undefined ? 1 : Number(q)]
    }),
  )
  const takes = (name: string) => (taken.get(name) ?? taken.get('*') ?? 0) > 0
  if (br && takes('br')) return 'br'
  return zipped && takes('gzip') ? 'gzip' : 'identity'
}

const send = (c: Context, page: Page, status: 200 | 404 = 200) => {
  c.header('ETag', page.etag)
  c.header('Cache-Control', page.cacheControl)
  c.header('Vary', 'Accept-Encoding')
  if (page.policy) c.header('Content-Security-Policy', page.policy)
  const matches = c.req
    .header('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  if (status === 200 && matches?.includes(page.etag)) return c.body(null, 304)
  const encoding = chooseEncoding(c.req.header('accept-encoding') ?? '', page.bodies)
  if (encoding !== 'identity') c.header('Content-Encoding', encoding)
  c.header('Content-Type', page.type)
  return c.body(new Uint8Array(page.bodies[encoding] ?? page.bodies.identity), status)
}

type Site = { pages: Map<string, Page>; missing: Page; rest: Map<string, Page> }

/** Reads what was built, and answers how to fill it in. */
const readSite = async (analyticsId: string | undefined) => {
  const { pages: files, staff } = v.parse(routesFile, JSON.parse(await readFile(new URL('routes.json', DIST), 'utf8')))
  const hosts = analyticsId ? ANALYTICS_HOSTS : NO_HOSTS
  const templates = await Promise.all(Object.entries(files).map(async ([path, file]) => [path, await readHtml(file)]))
  const [shell, missing] = await Promise.all(['staff.html', '404.html'].map(readHtml))
  const rest = await loadFolder('public', 'no-cache')
  return async (values: Record<string, string>): Promise<Site> => {
    const pages = new Map<string, Page>()
    for (const [path = '', html = ''] of templates) pages.set(path, await htmlPage(html, values, hosts))
    const shellPage = await htmlPage(shell ?? '', values)
    for (const path of staff) pages.set(path, shellPage)
    const missingPage = await htmlPage(missing ?? '', values, hosts)
    return { pages, missing: missingPage, rest: await filledFiles(rest, values) }
  }
}

/**
 * Serves what `npm run build` has made, from memory: public pages by path in any capitalisation, the staff's application
 * for its own paths, hashed assets for ever, and the not-found page with its status for all else. Pages are filled in
 * again when the support hours change; `onError` is told when that fails.
 */
export const loadPages = async (
  config: Config,
  settings: Pick<LiveSettings, 'current' | 'onChange'>,
  { onError }: { onError: (error: unknown) => void },
) => {
  const fill = await readSite(config.analyticsId)
  const assets = await loadFolder('assets', 'public, max-age=31536000, immutable')
  let hours = settings.current.supportHours
  let site = await fill(particulars(config, hours))

  const fillAgain = async () => {
    if (hours === settings.current.supportHours) return
    const next = settings.current.supportHours
    site = await fill(particulars(config, next))
    hours = next
  }
  let last = Promise.resolve()
  settings.onChange(() => {
    last = last.then(fillAgain).catch(onError)
  })
  await fillAgain()

  const find = (path: string) => {
    if (path.startsWith('/assets/')) return assets.get(path.slice('/assets/'.length))
    return site.pages.get(path.toLowerCase().replace(/(?<=.)\/+$/, '')) ?? site.rest.get(path.slice(1))
  }

  return new Hono().get('*', (c) => {
    const page = find(c.req.path)
    return page ? send(c, page) : send(c, site.missing, 404)
  })
}
