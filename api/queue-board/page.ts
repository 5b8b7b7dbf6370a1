import { html } from 'hono/html'
import { errorPage } from '../error-page.ts'

/** Where owners find the queues. */
export const QUEUE_BOARD_PATH = '/admin-queues'

/** What Bull Board needs beyond the site's own policy: a `<base>` of our own origin. Elsewhere none is allowed. */
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

const FOREIGN_STYLES = /<link href="https:[^>]*rel="stylesheet">/g

/**
 * Hides the buttons of what the board refuses: the menus of a queue and of all, to copy and to edit a job and its time,
 * to change and to remove a schedule. Where a newer Bull Board draws them otherwise they show again, and are refused.
 */
const HIDDEN = `
button[aria-haspopup="menu"]:has(.lucide-ellipsis-vertical),
li:has(> span > button > .lucide-files),
li:has(> span > button > .lucide-pencil),
li:has(> span > button > .lucide-clock),
li:has(> span > button > .lucide-arrow-up-down),
td button:has(.lucide-pencil),
td button:has(.lucide-trash-2) { display: none }
button:has(.lucide-gauge) { pointer-events: none }`

/** Bull Board's page without the fonts that it would load from another company, and without what the board refuses. */
export const asBoard = (page: string) =>
  page.replace(FOREIGN_STYLES, '').replace('</head>', `<style>${HIDDEN}\n</style>\n</head>`)

/** What people see in the place of the board, and where they can go: trying again helps nobody who is not allowed in. */
export const refusedPage = (
  agency: string,
  { title, detail, status }: { title: string; detail: string; status: number },
) =>
  errorPage({
    agency,
    title,
    messages: [status === FORBIDDEN ? `${detail}. Ask one of the owners to look, or to change your role.` : detail],
    advice:
      status === FORBIDDEN
        ? html`You can see every email and its attempts on the <a href="/admin-email">email screen</a>.`
        : html`<a href="/admin-queues">Try again</a>, or go to the <a href="/admin-email">email screen</a>.`,
  })
