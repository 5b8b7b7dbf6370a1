import type { Config } from '../node/config.ts'

/** The page of this site that led to a request; undefined if there is none or the browser does not send it. */
export const ownReferrer = (referrer: string | undefined, { allowedOrigins }: Pick<Config, 'allowedOrigins'>) => {
  const page = URL.parse(referrer ?? '')
  return page && allowedOrigins.has(page.origin) ? page : undefined
}
