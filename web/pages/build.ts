import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { build, createServer, type Manifest } from 'vite'
import { bundler, distFolder, webFolder } from './bundler.ts'

process.env.NODE_ENV = 'production'

const COMPRESSED = /\.(js|css|svg|json|txt|map)$/

const write = async (path: string, content: string | Buffer) => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

const buildAssets = async (): Promise<Manifest> => {
  await build({
    ...bundler,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: distFolder,
      emptyOutDir: true,
      manifest: 'manifest.json',
      // Nothing here has styles of its own to wait for, so that Vite's wrapper around imports would only weigh.
      modulePreload: false,
      rollupOptions: {
        input: ['pages/islands.ts', 'staff/main.tsx'].map((entry) => join(webFolder, entry)),
        preserveEntrySignatures: 'allow-extension',
      },
    },
  })
  return JSON.parse(await readFile(join(distFolder, 'manifest.json'), 'utf8'))
}

const buildBoot = async () => {
  const result = await build({
    ...bundler,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      modulePreload: false,
      rollupOptions: { input: join(webFolder, 'pages/boot.ts'), output: { format: 'iife' } },
    },
  })
  const [bundle] = [result].flat()
  if (!bundle || !('output' in bundle)) throw new Error('The build of boot.ts gave no output')
  return `<script>${bundle.output[0].code.trim()}</script>`
}

/** A build of its own, so that whoever agrees to being counted does not load React for it. */
const buildAnalytics = async () => {
  const result = await build({
    ...bundler,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: distFolder,
      emptyOutDir: false,
      modulePreload: false,
      rollupOptions: { input: join(webFolder, 'analytics/start.ts'), preserveEntrySignatures: 'strict' },
    },
  })
  const [bundle] = [result].flat()
  if (!bundle || !('output' in bundle)) throw new Error('The build of analytics gave no output')
  return `/${bundle.output[0].fileName}`
}

const renderPages = async (scripts: { boot: string; islands: string; analytics: string; staff: string }) => {
  const vite = await createServer({
    ...bundler,
    mode: 'production',
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const render = (await vite.ssrLoadModule('/pages/render.tsx')) as typeof import('./render.tsx')
    const pages: Record<string, string> = {}
    for (const path of render.publicPaths) {
      const file = path === '/' ? 'index.html' : `${path.slice(1)}.html`
      pages[path.toLowerCase()] = file
      await write(join(distFolder, 'pages', file), render.publicDocument(await render.renderPage(path), scripts))
    }
    const notFound = render.publicDocument(await render.renderPage('/404'), scripts)
    await write(join(distFolder, 'pages/404.html'), notFound)
    await write(join(distFolder, 'pages/staff.html'), render.staffDocument(scripts.staff))
    await write(join(distFolder, 'public/sitemap.xml'), render.siteMap(render.indexedPaths))
    await write(join(distFolder, 'routes.json'), JSON.stringify({ pages, staff: render.staffPaths }))
  } finally {
    await vite.close()
  }
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
const manifest = await buildAssets()
const addressOf = (entry: string) => {
  const chunk = manifest[entry]
  if (!chunk) throw new Error(`The build made no chunk for ${entry}; it made: ${Object.keys(manifest).join(', ')}`)
  return `/assets/${chunk.file.replace(/^assets\//, '')}`
}
await renderPages({
  boot: await buildBoot(),
  islands: addressOf('pages/islands.ts'),
  analytics: await buildAnalytics(),
  staff: `<script type="module" src="${addressOf('staff/main.tsx')}"></script>`,
})
await rm(join(distFolder, 'manifest.json'))
await compressAssets()
await cp(join(webFolder, 'public'), join(distFolder, 'public'), { recursive: true })
console.log(`The web pages are built, in ${((performance.now() - started) / 1000).toFixed(1)} s`)
