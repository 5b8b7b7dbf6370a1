import type { SiteRenderer } from '../../events/settings/rendered-content.ts'
import type { PageParts } from './document.ts'
import { publicDocument, publicPaths, renderPage } from './render.tsx'

/** The results of the build for the public pages, and the sample sites by path. */
export type SiteParts = PageParts & { samples: Record<string, string> }

/** Renders every public page with the owners' settings. The build turns this file into the module that nodes load. */
export const renderSite: SiteRenderer<SiteParts> = async (parts, content) => {
  const pages: Record<string, string> = { ...parts.samples }
  for (const path of publicPaths)
    pages[path.toLowerCase()] = publicDocument(await renderPage(path, content), parts, content)
  return { pages, missing: publicDocument(await renderPage('/404', content), parts, content) }
}

export { indexedPaths, publicPaths, siteMap, staffDocument, staffPaths } from './render.tsx'
