import { html } from 'hono/html'
import { errorPage } from '../http/error-page.ts'

/** The path of the queues' page, for owners. */
export const QUEUE_BOARD_PATH = '/admin-queues'

/**
 * Allows Bull Board's `<base>` in addition to the site's own policy. The font that its page links to is on another
 * company's server and stays blocked.
 */
export const BOARD_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ')

const FORBIDDEN = 403

/** The page that people get instead of the board, with links to other pages. */
export const refusedPage = (
  agency: string,
  { title, detail, status }: { title: string; detail: string; status: number },
) =>
  errorPage({
    agency,
    title,
    messages: [status === FORBIDDEN ? `${detail}. Ask an Admin to look, or to change your role.` : detail],
    advice:
      status === FORBIDDEN
        ? html`You can see every email and its attempts on the <a href="/admin-email">email screen</a>.`
        : html`<a href="/admin-queues">Try again</a>, or go to the <a href="/admin-email">email screen</a>.`,
  })
