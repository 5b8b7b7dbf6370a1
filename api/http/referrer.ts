import type { Config } from '../node/config.ts'

/** The page of this site that has led to a request; undefined where none has, or the browser does not say. */
export const ownReferrer = (referrer: string | undefined, { allowedOrigins }: Pick<Config, 'allowedOrigins'>) => {
  const page = URL.parse(referrer ?? '')
  return page && allowedOrigins.has(page.origin) ? page : undefined
}
