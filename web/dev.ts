import process from 'node:process'
import * as v from 'valibot'
import { createServer, type Plugin, type ViteDevServer } from 'vite'
import { dialledOf } from '../events/base/phone.ts'
import { copyInWords } from '../events/lead/email/copy.ts'
import { EnvironmentError, parseEnvironment, port } from '../events/process/environment.ts'
import { PLAIN_CONTENT, type SiteContent } from '../events/settings/rendered-content.ts'
import { DEFAULT_SUPPORT_HOURS, hoursInWords } from '../events/settings/support-time.ts'
import { bundler } from './pages/bundler.ts'
import { displayFont } from './pages/display-font.ts'
import { readSamples } from './samples/samples.ts'

const scripts = {
  boot: '<script type="module" src="/pages/boot.ts"></script>',
  islands: '/pages/islands.ts',
  afterwards: '/pages/afterwards.ts',
  greeting: '/chat/visitor/greeting.ts',
}
const staff = '<script type="module" src="/staff/shell/main.tsx"></script>'

/** Fills in the agency's details as an API node would; the copy for scripts is escaped as JSON. */
const withAgency = (html: string, agency: Record<string, string>) =>
  html.replace(/\{\{(\w+)\}\}/g, (placeholder, name) => agency[name] ?? placeholder)

/** Fetches the owners' settings from a node; waits until one responds. */
const readContent = async (apiPort: number): Promise<SiteContent> => {
  const answer = await fetch(`http://127.0.0.1:${apiPort}/api/site-content`).catch(() => undefined)
  return answer?.ok ? await answer.json() : PLAIN_CONTENT
}

/** Fetches the versions of the terms of packages from a node, by their tokens. */
const readTermsTokens = async (apiPort: number): Promise<Record<string, string>> => {
  const answer = await fetch(`http://127.0.0.1:${apiPort}/api/contract-terms`).catch(() => undefined)
  const terms: Record<string, { version: number }> = answer?.ok ? await answer.json() : {}
  return Object.fromEntries(
    Object.entries(terms).map(([id, { version }]) => [`TERMS_${id.toUpperCase()}`, String(version)]),
  )
}

const font = await displayFont()
const samples = await readSamples()
const fonts = new Map([font, ...samples.fonts].map(({ path, file }) => [path, file]))

const pageAt = async (vite: ViteDevServer, path: string, content: SiteContent) => {
  const render = (await vite.ssrLoadModule('/pages/render.tsx')) as typeof import('./pages/render.tsx')
  if (render.staffPaths.includes(path)) return { status: 200, html: render.staffDocument(staff) }
  const page = await render.renderPage(path, content)
  const html = render.publicDocument(page, { font, ...scripts }, content)
  return { status: render.publicPaths.includes(path) ? 200 : 404, html }
}

/** The staff's application replaces its own modules in the browser. */
const STAFF_SOURCES = /\/web\/(staff|routes\/(admin-|login))/

/** Renders each page for each request, and reloads open pages when one of their files is saved. */
const pages = (agency: Record<string, string>, apiPort: number): Plugin => ({
  name: 'pages',
  configureServer: (vite) => () => {
    vite.watcher.on('change', (file) => {
      if (!STAFF_SOURCES.test(file)) vite.environments.client.hot.send({ type: 'full-reload' })
    })
    vite.middlewares.use(async (request, response, next) => {
      try {
        const url = request.originalUrl ?? '/'
        const fontFile = fonts.get(url)
        if (fontFile) return response.writeHead(200, { 'content-type': 'font/woff2' }).end(fontFile)
        const path = new URL(url, 'http://dev.invalid').pathname.toLowerCase()
        const sample = samples.pages[path]
        if (sample) return response.writeHead(200, { 'content-type': 'text/html' }).end(withAgency(sample, agency))
        const { status, html } = await pageAt(vite, path, await readContent(apiPort))
        const values = { ...agency, ...(await readTermsTokens(apiPort)) }
        const whole = await vite.transformIndexHtml(url, withAgency(html, values))
        response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(whole)
      } catch (error) {
        vite.ssrFixStacktrace(error as Error)
        next(error)
      }
    })
  },
})

const serve = async () => {
  const environment = parseEnvironment({
    PORT: port,
    API_PORT: port,
    AGENCY_NAME: v.optional(v.string(), 'Karoo Web Studio'),
    AGENCY_EMAIL: v.optional(v.string(), 'hello@karoowebstudio.example'),
    AGENCY_PHONE: v.optional(v.string(), '+27 21 555 0142'),
    AGENCY_WHATSAPP: v.optional(v.string(), '27825550142'),
    ANALYTICS_ID: v.optional(v.string(), ''),
    PUBLIC_URL: v.optional(v.string()),
  })
  const { PORT, API_PORT, PUBLIC_URL = `http://localhost:${PORT}`, ...rest } = environment
  const agency = {
    ...rest,
    AGENCY_DIAL: dialledOf(rest.AGENCY_PHONE),
    SUPPORT_HOURS: hoursInWords(DEFAULT_SUPPORT_HOURS),
    CONTRACT_COPY: copyInWords(false),
    ARRIVAL: 'direct',
  }
  const target = `http://127.0.0.1:${API_PORT}`
  const vite = await createServer({
    ...bundler,
    appType: 'custom',
    clearScreen: false,
    // Scanned before the first page: a library found later would reload the open page.
    optimizeDeps: {
      entries: ['pages/islands.ts', 'pages/afterwards.ts', 'pages/first-sign.ts', 'staff/shell/main.tsx'],
    },
    plugins: [bundler.plugins, pages({ ...agency, PUBLIC_URL }, API_PORT)],
    server: {
      port: PORT,
      strictPort: true,
      proxy: {
        '/api': target,
        '/admin-queues': target,
        '/healthz': target,
        '/readyz': target,
        '/ws': { target, ws: true },
      },
    },
  })
  await vite.listen()
  const stop = () => vite.close().finally(() => process.exit(0))
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(signal, stop)
  process.send?.({ type: 'ready' })
  console.log(`The development server listens on ${PUBLIC_URL}`)
}

await serve().catch((error) => {
  console.error(error instanceof EnvironmentError ? error.message : error)
  process.exit(1)
})
