/**
 * Public pages are HTML. Nodes render them with React at start, with a renderer from the build, and serve them from
 * memory (api/pages.ts). Forms, the menu and the chat hydrate on the first touch; forms also post without script. A
 * sent form is replaced by a reference (the beginning of the lead's id, by which staff find it) and the next steps; a
 * failed form stays. Sent forms and typed text survive a reload. Staff pages are a single-page application over the
 * same table of routes (web/routes.tsx). Code that is not needed at first loads later (afterwards.ts).
 *
 * Packages are in events/settings/packages.ts until owners change them. The quote form's choices are those of the
 * specification (events/base/choices.ts) until owners set theirs. The home page's preview of the visitor's own site works
 * without script, and forms send its choices.
 */

import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { prerender } from 'react-dom/static'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import type { SiteContent } from '../../events/settings/rendered-content.ts'
import { SiteContext, soldIn } from '../content/site-context.ts'
import { headOf, type PublicHandle, pathsOf, publicRoutes, staffRoutes } from '../routes.tsx'
import { publicDocument, type RenderedPage, siteMap, staffDocument } from './document.ts'
import { lightHtml } from './light-html.ts'
import { shortenNames } from './short-names.ts'

export { publicDocument, siteMap, staffDocument }

/** The public paths that are pages of their own, and the paths of the staff's app. */
export const publicPaths = pathsOf(publicRoutes).filter((path) => path !== '*')
export const staffPaths = pathsOf(staffRoutes)

/** Those of the public paths that search engines may show. */
export const indexedPaths = publicRoutes.flatMap(({ path, handle }) =>
  path && (handle as PublicHandle).indexed ? [path] : [],
)

/** Public pages have one look: each value takes the place of its variable. */
const withPlainLook = (text: string) => text.replaceAll(/var\(--look-\w+, ?((?:[^()]|\([^()]*\))+)\)/g, '$1')

/** Renders the public page at a path; an unknown path gives the not-found page. */
export const renderPage = async (path: string, content: SiteContent): Promise<RenderedPage> => {
  const { query, dataRoutes } = createStaticHandler(publicRoutes)
  const context = await query(new Request(new URL(path, 'http://build.invalid')))
  if (context instanceof Response) throw new Error(`${path} answered ${context.status} where a page was expected`)
  const error = Object.values(context.errors ?? {})[0]
  if (error) throw error
  // No prefixes: every browser that runs the pages' scripts knows these properties without.
  const cache = createCache({ key: 'css', stylisPlugins: [] })
  // Without `compat` every element brings a style element of its own; with it they collect in the cache.
  cache.compat = true
  const { prelude } = await prerender(
    <CacheProvider value={cache}>
      <SiteContext value={content}>
        <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />
      </SiteContext>
    </CacheProvider>,
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  )
  const html = lightHtml(withPlainLook(await new Response(prelude).text()))
  const styles = Object.values(cache.inserted).filter((style) => typeof style === 'string')
  return {
    ...shortenNames({ html, css: withPlainLook(styles.join('')) }),
    path,
    about: headOf(context.matches.at(-1)?.route.handle as PublicHandle, soldIn(content)),
  }
}
