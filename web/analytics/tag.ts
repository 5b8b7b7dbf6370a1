import { FORM_SENT } from './form-sent.ts'
import { clickedEvents, formSentEvents, type NamedEvent, openedEvents } from './named-events.ts'

const TAG = 'https://www.googletagmanager.com/gtag/js?id='
const MAX_LABEL_CHARACTERS = 100

declare global {
  interface Window {
    dataLayer?: unknown[]
    [disabled: `ga-disable-${string}`]: boolean
  }
}

// The service's script reads `arguments` objects, not arrays.
function gtag(..._: unknown[]) {
  // biome-ignore lint/complexity/noArguments: see above
  window.dataLayer?.push(arguments)
}

const send = (events: NamedEvent[]) => {
  for (const { name, category, label, value } of events)
    gtag('event', name, { event_category: category, event_label: label, ...(value !== undefined && { value }) })
}

const viewPage = (id: string) => {
  gtag('config', id, { page_path: location.pathname })
  send(openedEvents(location.pathname))
}

const watchClicks = () =>
  addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]')
    if (!link) return
    const text = link.innerText.trim().slice(0, MAX_LABEL_CHARACTERS)
    const isButton = link.matches('[data-button]')
    send(clickedEvents({ href: link.getAttribute('href') ?? '', path: link.pathname, text, isButton }))
  })

/** Loads the service's script and reports this page and its events. Call it only with consent. */
export const count = (id: string) => {
  window[`ga-disable-${id}`] = false
  if (window.dataLayer) return
  window.dataLayer = []
  gtag('js', new Date())
  viewPage(id)
  watchClicks()
  addEventListener(FORM_SENT, (event) => send(formSentEvents((event as CustomEvent<string>).detail)))
  // A page that comes back from the browser's memory is looked at again.
  addEventListener('pageshow', ({ persisted }) => persisted && viewPage(id))
  const script = document.createElement('script')
  script.src = TAG + encodeURIComponent(id)
  script.async = true
  document.head.append(script)
}

/** Stops counting at once, after the visitor withdraws the consent. */
export const stopCounting = (id: string) => {
  window[`ga-disable-${id}`] = true
}
