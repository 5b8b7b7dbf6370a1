import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { type BuildEnvironmentOptions, build, type Plugin } from 'vite'
import { PLAIN_CONTENT } from '../../events/settings/rendered-content.ts'
import { readSamples } from '../samples/samples.ts'
import { bundler, distFolder, webFolder } from './bundler.ts'
import { displayFont } from './display-font.ts'
import type { SiteParts } from './site.tsx'
import { SPECULATION_RULES } from './speculation.ts'

process.env.NODE_ENV = 'production'

const COMPRESSED = /\.(js|css|svg|json|txt|map)$/

const write = async (path: string, content: string | Buffer) => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

// No chunk here has styles to wait for: Vite's wrapper around imports is useless weight.
const PRELOAD_HELPER = '\0vite/preload-helper.js'
const withoutPreload: Plugin = {
  name: 'without-preload',
  enforce: 'pre',
  load: (id) => (id === PRELOAD_HELPER ? 'export const __vitePreload = (load) => load()' : undefined),
}

// As in the pages themselves (render.tsx): a browser that runs these scripts knows every property that is used without
// a prefix.
const PREFIXING = 'var defaultStylisPlugins = [prefixer];'
const withoutPrefixes: Plugin = {
  name: 'without-prefixes',
  enforce: 'pre',
  transform: (code, id) => {
    if (!/@emotion\/cache\/dist\/.*\.js$/.test(id)) return
    if (!code.includes(PREFIXING)) throw new Error(`${id} names its plugins otherwise than expected`)
    return code.replace(PREFIXING, 'var defaultStylisPlugins = [];')
  },
}

type Output = NonNullable<NonNullable<BuildEnvironmentOptions['rolldownOptions']>['output']>

/**
 * Bundles one entry with its imports and returns its first chunk. Each is a separate build, so that no chunk carries
 * code that only another one needs.
 */
const bundle = async (entry: string, { output, write = true }: { output?: Output; write?: boolean } = {}) => {
  const result = await build({
    ...bundler,
    plugins: [...(bundler.plugins ?? []), withoutPreload, withoutPrefixes],
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: distFolder,
      emptyOutDir: false,
      write,
      modulePreload: false,
      rolldownOptions: {
        input: join(webFolder, entry),
        preserveEntrySignatures: 'allow-extension',
        // Emotion brings these for `withTheme`, which nothing here uses.
        treeshake: { moduleSideEffects: [{ test: /hoist-non-react-statics|react-is/, sideEffects: false }] },
        ...(output && { output }),
      },
    },
  })
  const [built] = [result].flat()
  if (!built || !('output' in built)) throw new Error(`The build of ${entry} gave no output`)
  return built.output[0]
}

const addressOf = async (entry: string, output?: Output) => `/${(await bundle(entry, output && { output })).fileName}`

/** Code that every island needs. */
const EVERYWHERE =
  /node_modules\/(react|react-dom|scheduler|@emotion|stylis)\/|events\/base\/time|web\/(client\/(server-time|store)|ui\/(theme|icons|button|spinner|overlay-))/

/** Code that every form needs to hydrate. */
const FORMS = [
  /node_modules\/react-hook-form\//,
  /web\/(analytics\/form-sent|content\/(agency|form-notices|(stored-)?idea)|ui\/(unbroken|form\/(control|draft|field|form-notice|honeypot|native-submit|sent-details|last-sent|form-storage|use-form-code|use-email-suggestion)))/,
  /events\/base\/choices/,
]

/** Code that every form needs when a visitor fills it in: rules, sending, the parts shown afterwards. */
const FILLED_IN = [
  /node_modules\/(valibot|@hookform)\//,
  /web\/(client\/(http|random-id)|visit\/|content\/next-steps|ui\/(toast\/|form\/(submission|sent-reference|lazy-parts|suggested-address|reply-by)))/,
  /events\/(base\/(text|definition|reference)|lead\/kind)/,
]

/** Few chunks: a phone pays for each with a round trip, and they compress better together. */
const ISLAND_CHUNKS: Output = {
  codeSplitting: {
    groups: [
      { name: 'react', test: EVERYWHERE, priority: 4 },
      { name: 'form', test: (id) => FORMS.some((part) => part.test(id)), priority: 3 },
      { name: 'filled-in', test: (id) => FILLED_IN.some((part) => part.test(id)), priority: 2 },
      { name: 'lead-form', test: /web\/ui\/form\/((use-)?lead-form|field-problems)/, priority: 1 },
    ],
  },
}

/** Libraries that only one part of the staff's screens needs, and that load with it. */
const WITH_THEIR_SCREEN =
  /node_modules\/(recharts|react-datepicker|@floating-ui|cmdk|d3-|@reduxjs|immer|victory-vendor)/

/** The shell and the screen after sign-in. */
const FIRST_SCREEN = /web\/(staff\/shell\/(main|frame)|routes\/admin-today\/today)\.tsx/

/** The staff's screens: a chunk of libraries, one of all that the first screen needs, a shared one, and one per screen. */
const STAFF_CHUNKS: Output = {
  codeSplitting: {
    groups: [
      {
        name: 'base',
        test: /node_modules\/(react|react-dom|scheduler|react-router|@emotion|stylis|swr|valibot)\//,
        priority: 3,
      },
      { name: 'first', test: FIRST_SCREEN, priority: 2 },
      { name: 'shared', test: (id) => !WITH_THEIR_SCREEN.test(id), minShareCount: 2, priority: 1 },
    ],
  },
}

/**
 * The renderer of the public pages as a module that needs nothing else: nodes call it whenever owners change the
 * content.
 */
const bundleRenderer = async () => {
  await build({
    ...bundler,
    plugins: [...(bundler.plugins ?? []), withoutPreload],
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: join(distFolder, 'server'),
      emptyOutDir: false,
      ssr: join(webFolder, 'pages/site.tsx'),
      rolldownOptions: { output: { entryFileNames: 'site.js', chunkFileNames: '[name]-[hash].js' } },
    },
  })
}

/** The inline scripts of the built pages: the content security policy allows only these. */
const inlineScripts = (pages: string[]) => [
  ...new Set(
    pages.flatMap((html) =>
      [...html.matchAll(/<script(?![^>]*\s(?:src=|type="application\/))[^>]*>([\s\S]*?)<\/script>/g)].map(
        ([, text = '']) => text,
      ),
    ),
  ),
]

const renderPages = async ({ staff, ...parts }: SiteParts & { staff: string }) => {
  await bundleRenderer()
  const site: typeof import('./site.tsx') = await import(pathToFileURL(join(distFolder, 'server/site.js')).href)
  // nodes need not render unchanged content, and a page that cannot be rendered fails the build
  const plain = await site.renderSite(parts, PLAIN_CONTENT)
  await write(join(distFolder, 'plain.json'), JSON.stringify(plain))
  await write(join(distFolder, 'staff.html'), site.staffDocument(staff))
  await write(join(distFolder, 'public/sitemap.xml'), site.siteMap(site.indexedPaths))
  const scripts = inlineScripts([...Object.values(plain.pages), plain.missing])
  const addedScripts = [SPECULATION_RULES]
  const routes = { pages: site.publicPaths, staff: site.staffPaths, parts, scripts, addedScripts }
  await write(join(distFolder, 'routes.json'), JSON.stringify(routes))
}

const compressAssets = async () => {
  const folder = join(distFolder, 'assets')
  for (const name of (await readdir(folder)).filter((file) => COMPRESSED.test(file))) {
    const content = await readFile(join(folder, name))
    await write(join(folder, `${name}.br`), await promisify(brotliCompress)(content))
    await write(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }))
  }
}

const started = performance.now()
await rm(distFolder, { recursive: true, force: true })
const boot = await bundle('pages/boot.ts', { output: { format: 'iife' }, write: false })
const font = await displayFont()
const samples = await readSamples()
for (const { path, file } of [font, ...samples.fonts]) await write(join(distFolder, path), file)
await renderPages({
  font: { path: font.path, css: font.css },
  samples: samples.pages,
  boot: `<script>${boot.code.trim()}</script>`,
  islands: await addressOf('pages/islands.ts', ISLAND_CHUNKS),
  afterwards: await addressOf('pages/afterwards.ts'),
  greeting: await addressOf('chat/visitor/greeting.ts'),
  staff: `<script type="module" src="${await addressOf('staff/shell/main.tsx', STAFF_CHUNKS)}"></script>`,
})
// one address for ever: browsers ask there for the next version
const worker = await bundle('staff/device/service-worker.ts', { output: { format: 'iife' }, write: false })
await write(join(distFolder, 'public/admin-worker.js'), worker.code)
await compressAssets()
await cp(join(webFolder, 'public'), join(distFolder, 'public'), { recursive: true })
console.log(`The web pages are built, in ${((performance.now() - started) / 1000).toFixed(1)} s`)
