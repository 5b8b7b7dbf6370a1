import type { SiteContent } from '../../events/settings/rendered-content.ts'
import { AGENCY_ELEMENT_ID, agency } from '../content/agency.ts'
import { soldIn } from '../content/site-context.ts'
import type { PageHead } from '../routes.tsx'
import { palette } from '../ui/theme.ts'
import type { DisplayFont } from './display-font.ts'
import { SHARED_PICTURE, structuredData } from './structured-data.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)

// Inside a script element a "<" could end it; JSON may write it as an escape instead.
const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

const agencyElement = () => `<script type="application/json" id="${AGENCY_ELEMENT_ID}">${inScript(agency())}</script>`

const head = (title: string, extra: string, manifest = '/site.webmanifest') => `<!doctype html>
<html lang="en-ZA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} | ${agency().name}</title>
<meta name="theme-color" content="${palette.paper}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="icon" href="/icon-192.png" type="image/png" sizes="192x192">
<link rel="apple-touch-icon" href="/icon-180.png">
<link rel="manifest" href="${manifest}">
${extra}
</head>`

export type RenderedPage = { html: string; css: string; path: string; about: PageHead }

/**
 * The results of the build for every public page: the display face, `boot` as an element, and the addresses of the
 * other scripts, which boot imports.
 */
export type PageParts = {
  font: Pick<DisplayFont, 'path' | 'css'>
  boot: string
  islands: string
  afterwards: string
  greeting: string
}

// One page fades into the next; the bar does not move.
const BETWEEN_PAGES =
  '@media (prefers-reduced-motion:no-preference){@view-transition{navigation:auto}::view-transition-group(*){animation-duration:.2s}}'

/** The tags for link previews. */
const sharing = (path: string, { title, description }: PageHead) => {
  const { path: picture, width, height } = SHARED_PICTURE
  const properties = {
    'og:site_name': agency().name,
    'og:title': title,
    'og:description': description,
    'og:url': agency().publicUrl + path,
    'og:image': agency().publicUrl + picture,
    'og:image:width': String(width),
    'og:image:height': String(height),
  }
  const tags = Object.entries(properties).map(
    ([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`,
  )
  return [...tags, '<meta name="twitter:card" content="summary_large_image">'].join('\n')
}

/** The head of a page that search engines may show. */
const indexing = (path: string, about: PageHead, content: SiteContent) =>
  about.indexed
    ? `<link rel="canonical" href="${agency().publicUrl}${path}">
<script type="application/ld+json">${inScript(structuredData(path, about, content))}</script>`
    : '<meta name="robots" content="noindex">'

const greetingScript = (path: string, script: string, { chatGreetings }: SiteContent) => {
  const greeting = chatGreetings.find(({ page }) => page === path)
  if (!greeting) return ''
  return `<script type="module" src="${script}" data-greeting="${escapeHtml(JSON.stringify(greeting))}"></script>\n`
}

/** The prices that owners have changed, for analytics. */
const pricesIn = (content: SiteContent) => {
  if (Object.keys(content.packages).length === 0) return ''
  const prices = soldIn(content).map(({ id, once }) => [id, once])
  return ` data-prices="${escapeHtml(JSON.stringify(Object.fromEntries(prices)))}"`
}

export const publicDocument = ({ html, css, path, about }: RenderedPage, parts: PageParts, content: SiteContent) => {
  const extra = `<meta name="description" content="${escapeHtml(about.description)}">
${sharing(path, about)}
<link rel="preload" href="${parts.font.path}" as="font" type="font/woff2" crossorigin>
${indexing(path, about, content)}
<style>${parts.font.css}${BETWEEN_PAGES}${css}</style>
<noscript><style>[data-island=chat],[data-opens-chat],[data-island=menu]{display:none}</style></noscript>`
  return `${head(about.title, extra)}
<body data-islands="${parts.islands}" data-afterwards="${parts.afterwards}" data-analytics-id="{{ANALYTICS_ID}}"${pricesIn(content)}>
${html}
${agencyElement()}
${parts.boot}
${greetingScript(path, parts.greeting, content)}</body>
</html>
`
}

/** The shell of the staff's single-page app, which can be installed. */
export const staffDocument = (
  script: string,
) => `${head('Staff', '<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">', '/staff.webmanifest')}
<body>
<div id="staff"><noscript>The staff pages need JavaScript.</noscript></div>
${agencyElement()}
${script}
</body>
</html>
`

/** The addresses of the pages that search engines may show. */
export const siteMap = (paths: string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `<url><loc>${agency().publicUrl}${path}</loc></url>`).join('\n')}
</urlset>
`
