/** Every default secret in `compose.yaml` contains this, as it is or in base64. */
const TRY_OUT_MARKER = 'try-out-only'

const decoded = (text: string) => {
  try {
    return atob(text)
  } catch {
    return ''
  }
}

/** Whether a variable holds a secret that is public in `compose.yaml`; also as one of several, separated by commas. */
export const isTryOutSecret = (value: string): boolean =>
  value.split(',').some((part) => part.includes(TRY_OUT_MARKER) || decoded(part.trim()).includes(TRY_OUT_MARKER))

/** The password of the first account if none is set in `compose.yaml`. */
export const TRY_OUT_PASSWORD = TRY_OUT_MARKER

/** Whether an address is for this machine only: names and addresses of loopback. */
const isLoopback = (host: string) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host)

/** The variables for where visitors reach the site; both are optional. */
export type Reach = { PUBLIC_URL?: string | undefined; PUBLISHED_ADDRESS?: string | undefined }

/**
 * The variable that shows that other machines reach the site: PUBLIC_URL names another host, or PUBLISHED_ADDRESS,
 * where `compose.yaml` listens, is not loopback. Undefined for a try-out on one machine.
 */
export const reachedFromOutside = ({ PUBLIC_URL, PUBLISHED_ADDRESS }: Reach): keyof Reach | undefined => {
  if (PUBLIC_URL && URL.canParse(PUBLIC_URL) && !isLoopback(new URL(PUBLIC_URL).hostname)) return 'PUBLIC_URL'
  return PUBLISHED_ADDRESS && !isLoopback(PUBLISHED_ADDRESS) ? 'PUBLISHED_ADDRESS' : undefined
}
