import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Context, Hono, type HonoRequest } from 'hono'
import * as v from 'valibot'
import {
  PLAIN_CONTENT,
  type RenderedSite,
  type SiteContent,
  type SiteRenderer,
  siteContentAt,
} from '../events/settings/rendered-content.ts'
import type { Settings } from '../events/settings/settings.ts'
import type { LiveSettings } from '../events/settings/store/live-settings.ts'
import { type Assets, loadAssets } from './assets.ts'
import { compressed, DIST, etagOf, loadFolder, type Page, send } from './http/page.ts'
import { ownReferrer } from './http/referrer.ts'
import type { Config } from './node/config.ts'
import { FILLED_FILES, fillIn, fillInHtml, particulars } from './page-placeholders.ts'
import { withPhotos } from './staff/photos.ts'

/**
 * The path of an asset: a number before its name is another attempt by a browser whose first one has failed for good.
 */
const ASSET = /^\/assets\/(?:\d+\/)?([^/]+)$/

/** `scripts` are the inline scripts of the build's own pages; every page may add `addedScripts` once it is shown. */
const routesFile = v.object({
  staff: v.array(v.string()),
  parts: v.unknown(),
  scripts: v.array(v.string()),
  addedScripts: v.array(v.string()),
})

const renderedSite = v.object({ pages: v.record(v.string(), v.string()), missing: v.string() })

/** The interval of the check for ended offers. */
const LOOK_EVERY_MS = 10_000

/** The page after a form. */
const THANKS = '/thanks'

/** The page that checks a contract; below it, by the contract's reference, what the check found. */
const VERIFY = '/contract/verify'
const VERIFIED = /^\/contract\/verify\/([^/]+)$/

/** The hosts of Google's tag, which visitors reach only if an id is set and only after their consent. */
const ANALYTICS_HOSTS = {
  script: ' https://www.googletagmanager.com',
  image: ' https://www.googletagmanager.com https://*.google-analytics.com',
  connect: ' https://*.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com',
}
const NO_HOSTS = { script: '', image: '', connect: '' }

/**
 * Allows these inline scripts by their hashes, regardless of the page's content: a script in text that people wrote
 * does not run. Data (JSON) needs no hash. Everything else comes from our own origin and from these hosts.
 */
const contentPolicy = (scripts: readonly string[], hosts: typeof NO_HOSTS) => {
  const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return [
    "default-src 'self'",
    ["script-src 'self'", ...hashes].join(' ') + hosts.script,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${hosts.image}`,
    ...(hosts.connect ? [`connect-src 'self'${hosts.connect}`] : []),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}

/** A page from its HTML. A page in `before` with the same content is reused: it may be compressed already. */
const htmlPage = (html: string, policy: string, before: Iterable<Page> = []): Page => {
  const identity = Buffer.from(html)
  const etag = etagOf(identity)
  for (const page of before) if (page.etag === etag) return page
  return {
    type: 'text/html; charset=utf-8',
    etag,
    cacheControl: 'no-cache',
    policy,
    bodies: compressed(identity),
  }
}

/** A file that may change under its name. */
const filePage = (type: string, identity: Buffer): Page => ({
  type,
  etag: etagOf(identity),
  cacheControl: 'no-cache',
  policy: undefined,
  bodies: { identity },
})

/** The files at the root with the agency's particulars in those that name them. */
const filledFiles = (templates: Map<string, Page<Buffer>>, values: Record<string, string>) => {
  const files = new Map<string, Page>(templates)
  for (const [name, page] of templates) {
    const written = FILLED_FILES[extname(name)]
    if (!written) continue
    const filled = Buffer.from(fillIn(page.bodies.identity.toString(), values, written))
    files.set(name, { ...page, etag: etagOf(filled), bodies: compressed(filled) })
  }
  return files
}

const readBuilt = (name: string) => readFile(new URL(name, DIST), 'utf8')

/** The build has rendered the default content: a node starts without rendering it again. */
const render = async (parts: unknown, content: SiteContent): Promise<RenderedSite> => {
  if (isDeepStrictEqual(content, PLAIN_CONTENT)) return v.parse(renderedSite, JSON.parse(await readBuilt('plain.json')))
  const { renderSite }: { renderSite: SiteRenderer } = await import(new URL('server/site.js', DIST).href)
  return await renderSite(parts, content)
}

/** `sent` is the thank-you page for visitors who come from a form; others do not see that something was sent. */
type Site = {
  pages: Map<string, Page>
  sent: Page
  missing: Page
  rest: Map<string, Page>
  /** Makes the page of a checked contract. */
  verified: (values: Record<string, string>) => Page
}

/** Loads the build. Returns the function that makes the site from the owners' settings. */
const readSite = async (config: Config, tokensOf: Tokens) => {
  const { staff, parts, scripts, addedScripts } = v.parse(routesFile, JSON.parse(await readBuilt('routes.json')))
  const shell = await readBuilt('staff.html')
  const rest = await loadFolder('public', 'no-cache')
  const hosts = config.analyticsId ? ANALYTICS_HOSTS : NO_HOSTS
  const policyOf = (html: string) =>
    contentPolicy([...scripts.filter((text) => html.includes(text)), ...addedScripts], hosts)
  return async (settings: Settings, content: SiteContent, before?: Site): Promise<Site> => {
    const values = { ...particulars(config, settings), ...(await tokensOf(content)) }
    const photos = withPhotos(content)
    const rendered = await render(parts, photos.content)
    const known = before ? [...before.pages.values(), before.sent, before.missing] : []
    const made = (html: string, policy = policyOf(html), more = {}) =>
      htmlPage(fillInHtml(html, { ...values, ...more }), policy, known)
    const pages = new Map<string, Page>()
    for (const [path, html] of Object.entries(rendered.pages)) pages.set(path, made(html))
    const verified = (more: Record<string, string>) => made(rendered.pages[VERIFY] ?? rendered.missing, undefined, more)
    pages.set(VERIFY, verified(NO_CONTRACT))
    const sent = made(rendered.pages[THANKS] ?? rendered.missing, undefined, { ARRIVAL: 'sent' })
    const shellPage = made(shell, contentPolicy([], NO_HOSTS))
    for (const path of staff) pages.set(path, shellPage)
    const files = filledFiles(rest, values)
    for (const { path, type, file } of photos.files) files.set(path, filePage(type, file))
    return { pages, sent, missing: made(rendered.missing), rest: files, verified }
  }
}

/** Values of tokens that depend on the content. */
type Tokens = (content: SiteContent) => Promise<Record<string, string>>

/** The values of the page that checks a contract; undefined if there is none of this reference. */
type Verify = (c: Context, reference: string) => Promise<Record<string, string> | undefined>

/** The values of the page that checks a contract, without one. */
const NO_CONTRACT = {
  VERIFY_STATE: 'none',
  VERIFY_REFERENCE: '',
  VERIFY_PACKAGE: '',
  VERIFY_DATE: '',
  VERIFY_STATUS: '',
  VERIFY_TERMS: '',
  VERIFY_PDF: '',
  VERIFY_SHA: '',
}

type Sources = {
  onError: (error: unknown) => void
  verify?: Verify
  tokensOf?: Tokens
  assets?: Assets
  findOther?: (name: string) => Promise<Page | undefined>
  now?: () => Date
  /** Stops the check for pages to render again. */
  signal?: AbortSignal
}

/** A path in lower case without a slash at its end. */
const plainPath = (path: string) => path.toLowerCase().replace(/(?<=.)\/+$/, '')

const MAX_REFERENCE_CHARACTERS = 20

/** A reference as its page repeats it. */
const shownReference = (text: string) => {
  try {
    return decodeURIComponent(text).slice(0, MAX_REFERENCE_CHARACTERS).toUpperCase()
  } catch {
    return ''
  }
}

/** The inputs of the pages: while these are equal, so are the pages. */
const basisOf = ({ supportHours, emailServer }: Settings, content: SiteContent) =>
  JSON.stringify([supportHours, emailServer !== null, content])

/**
 * Serves the output of `npm run build` from memory: public pages by path in any capitalisation, the staff's application
 * for its own paths, hashed assets for ever, and the not-found page with its status for all else. Pages are rendered
 * again when owners change the settings that they show, and when an offer ends; `onError` is called if that fails.
 * `assets` are those of this version; `findOther` finds one of another (api/assets.ts). `tokensOf` returns
 * the versions of the terms (api/contracts/terms.ts), `verify` checks a contract (api/contracts/verification.ts), `now`
 * returns the time.
 */
export const loadPages = async (
  config: Config,
  settings: Pick<LiveSettings, 'current' | 'onChange'>,
  { onError, verify, tokensOf = async () => ({}), assets, findOther, now = () => new Date(), signal }: Sources,
) => {
  const make = await readSite(config, tokensOf)
  const own = assets ?? (await loadAssets())
  let content = siteContentAt(settings.current, now())
  let basis = basisOf(settings.current, content)
  let site = await make(settings.current, content)

  const makeAgain = async () => {
    const { current } = settings
    content = siteContentAt(current, now())
    const next = basisOf(current, content)
    if (next === basis) return
    site = await make(current, content, site)
    basis = next
  }
  let last = Promise.resolve()
  const look = () => {
    last = last.then(makeAgain).catch(onError)
    return last
  }
  settings.onChange(look)
  const looking = setInterval(look, LOOK_EVERY_MS).unref()
  signal?.addEventListener('abort', () => clearInterval(looking))
  await makeAgain()

  const find = (request: HonoRequest) => {
    const { path } = request
    const [, asset] = ASSET.exec(path) ?? []
    if (asset) return own.get(asset) ?? findOther?.(asset).catch(onError)
    const plain = plainPath(path)
    if (plain !== THANKS) return site.pages.get(plain) ?? site.rest.get(path.slice(1))
    // no page links there: a visitor who comes from one has sent its form, perhaps without script
    const page = ownReferrer(request.header('referer'), config) ? site.sent : site.pages.get(THANKS)
    return page && { ...page, vary: 'Referer' }
  }

  /** The page of a checked contract, which is never stored. */
  const sendVerified = async (c: Context, reference: string) => {
    const values = await verify?.(c, reference)
    const page = site.verified(values ?? { ...NO_CONTRACT, VERIFY_STATE: 'missing', VERIFY_REFERENCE: reference })
    // sent once: the best compression would cost more than the check
    const { br: _, ...bodies } = page.bodies
    return await send(c, { ...page, cacheControl: 'no-store', bodies }, values ? 200 : 404)
  }

  return new Hono().get('*', async (c) => {
    const path = plainPath(c.req.path)
    const [, reference] = VERIFIED.exec(path) ?? []
    if (reference) return await sendVerified(c, shownReference(reference))
    const asked = path === VERIFY ? c.req.query('reference')?.trim() : undefined
    if (asked) return c.redirect(`${VERIFY}/${encodeURIComponent(asked)}`, 303)
    const page = await find(c.req)
    return page ? send(c, page) : send(c, site.missing, 404)
  })
}
