/** Every secret that `compose.yaml` has by default holds this, as it is or in base64. */
const MARK = 'try-out-only'

const decoded = (text: string) => {
  try {
    return atob(text)
  } catch {
    return ''
  }
}

/** Whether a variable holds a secret that anybody can read in `compose.yaml`; also as one of several, behind commas. */
export const isTryOutSecret = (value: string): boolean =>
  value.split(',').some((part) => part.includes(MARK) || decoded(part.trim()).includes(MARK))

/** The password of the first account where none is set in `compose.yaml`. */
export const TRY_OUT_PASSWORD = MARK

/** Whether only this machine has an address: names and addresses of loopback. */
const isLoopback = (host: string) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host)

/** What says where visitors reach the site; both are optional. */
export type Reach = { PUBLIC_URL?: string | undefined; PUBLISHED_ADDRESS?: string | undefined }

/**
 * Which variable says that others than this machine reach the site: PUBLIC_URL names another host, or PUBLISHED_ADDRESS,
 * where `compose.yaml` listens, is not loopback. Undefined for a try-out on one machine.
 */
export const reachedFromOutside = ({ PUBLIC_URL, PUBLISHED_ADDRESS }: Reach): keyof Reach | undefined => {
  if (PUBLIC_URL && URL.canParse(PUBLIC_URL) && !isLoopback(new URL(PUBLIC_URL).hostname)) return 'PUBLIC_URL'
  return PUBLISHED_ADDRESS && !isLoopback(PUBLISHED_ADDRESS) ? 'PUBLISHED_ADDRESS' : undefined
}
