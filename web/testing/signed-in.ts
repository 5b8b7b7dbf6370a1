import type { BrowserContextOptions, Page } from 'playwright-core'
import type { TestSite } from './site.ts'

/** Signs in by the API, which is quicker than by the form. Returns the cookie. */
export const cookieOf = async ({ node }: Pick<TestSite, 'node'>, who: object): Promise<string> => {
  const response = await node.post('/api/login', who)
  if (!response.ok) throw new Error(`Nobody was signed in: ${response.status}`)
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Opens a page in a browser context of its own, with an account signed in. */
export const openAs = async (
  { browser, node }: Pick<TestSite, 'browser' | 'node'>,
  cookie: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> => {
  const viewport = { width: 1440, height: 900 }
  const context = await browser.newContext({ viewport, baseURL: node.url, reducedMotion: 'reduce', ...options })
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  await context.addCookies([{ name, value, url: node.url }])
  const page = await context.newPage()
  await page.goto(path)
  return page
}
