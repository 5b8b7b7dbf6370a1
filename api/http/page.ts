import { createHash } from 'node:crypto'
import { access, readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { PlainError } from '../../events/base/plain-error.ts'

/** The output of `npm run build`. */
export const DIST = new URL('../../web/dist/', import.meta.url)

/** Thrown if there are no pages to send. The message is one line that names the command to run. */
export class UnbuiltError extends PlainError {
  override name = 'UnbuiltError'
}

/** @throws UnbuiltError if `npm run build` has not been run */
export const assertBuilt = async (): Promise<void> => {
  try {
    await access(new URL('routes.json', DIST))
  } catch (cause) {
    throw new UnbuiltError('The web pages have not been built: run npm run build', { cause })
  }
}

const CONTENT_TYPES: Record<string, string> = {
  '.avif': 'image/avif',
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

/** Compresses a body on the first request, and caches the result. */
type Compressor = () => Promise<Buffer>

/** A body to send, in memory in each encoding that it was made in, or can be made in. */
export type Page<Encoded extends Buffer | Compressor = Buffer | Compressor> = {
  type: string
  etag: string
  cacheControl: string
  policy: string | undefined
  /** A request header that it depends on, besides the encodings. */
  vary?: string
  bodies: { br?: Encoded; gzip?: Encoded; identity: Buffer }
}

/** The entity tag of a body. */
export const etagOf = (body: Buffer) => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

/** Compresses once and returns the same result since then; tries again after a failure. */
export const onFirstUse = (compress: Compressor): Compressor => {
  let made: Promise<Buffer> | undefined
  return () => {
    made ??= compress().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}

/**
 * A body in each encoding that pages are sent in. A node that compressed all its pages first would take a third longer
 * to start.
 */
export const compressed = (identity: Buffer) => ({
  br: onFirstUse(() => promisify(brotliCompress)(identity)),
  gzip: onFirstUse(() => promisify(gzip)(identity)),
  identity,
})

/** All files of a folder of the build, by name, with the encodings that the build has made. */
export const loadFolder = async (folder: string, cacheControl: string): Promise<Map<string, Page<Buffer>>> => {
  const root = new URL(`${folder}/`, DIST)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.pathname.length).replace(/^\/+/, ''))
  const known = new Set(names)
  const pages = new Map<string, Page<Buffer>>()
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

/** The encodings that a client accepts, the best first; one with `q=0` is refused (RFC 9110, 12.5.3). */
const chooseEncoding = (accepted: string, { br, gzip: zipped }: Page['bodies']): 'br' | 'gzip' | 'identity' => {
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.trim().toLowerCase().split(';')
      const q = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return [name.trim(), q === undefined ? 1 : Number(q)]
    }),
  )
  const accepts = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0
  if (br && accepts('br')) return 'br'
  return zipped && accepts('gzip') ? 'gzip' : 'identity'
}

/** Sends a page in the best encoding that the client accepts, or 304 if the client has it already. */
export const send = async (c: Context, page: Page, status: 200 | 404 = 200) => {
  c.header('ETag', page.etag)
  c.header('Cache-Control', page.cacheControl)
  c.header('Vary', page.vary ? `Accept-Encoding, ${page.vary}` : 'Accept-Encoding')
  if (page.policy) c.header('Content-Security-Policy', page.policy)
  const matches = c.req
    .header('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  if (status === 200 && matches?.includes(page.etag)) return c.body(null, 304)
  const encoding = chooseEncoding(c.req.header('accept-encoding') ?? '', page.bodies)
  if (encoding !== 'identity') c.header('Content-Encoding', encoding)
  c.header('Content-Type', page.type)
  const body = page.bodies[encoding] ?? page.bodies.identity
  return c.body(new Uint8Array(typeof body === 'function' ? await body() : body), status)
}
