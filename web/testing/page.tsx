import { act, render } from '@testing-library/react'
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event'
import { PLAIN_CONTENT, type SiteContent } from '../../events/site-content.ts'
import { type IslandName, prefetch } from '../pages/islands.ts'
import { renderPage } from '../pages/render.tsx'
import { currentToast, dismissToast } from '../ui/toast/toasts.ts'
import { type Answer, answerRequests } from './server.ts'

/** Mondays to Fridays from 8 to 18, as `GET /api/support-hours` answers them. */
const SUPPORT_HOURS = { opensAtMinute: 480, closesAtMinute: 1080, days: [1, 2, 3, 4, 5] }

const rendered = new Map<string, Promise<string>>()

/** The HTML of a public page as a node sends it, of an agency that has set nothing; a page is rendered once. */
export const pageHtml = (path: string, content?: SiteContent): Promise<string> => {
  const made =
    (content ? undefined : rendered.get(path)) ?? renderPage(path, content ?? PLAIN_CONTENT).then(({ html }) => html)
  if (!content) rendered.set(path, made)
  return made
}

let holder: HTMLElement | undefined

/** Puts the HTML of a public page into the document, in place of the page before. Nothing of it is alive. */
export const showPage = async (path: string): Promise<HTMLElement> => {
  holder?.remove()
  holder = document.createElement('div')
  holder.innerHTML = await pageHtml(path)
  document.body.append(holder)
  // as boot.ts does
  for (const form of holder.querySelectorAll<HTMLFormElement>('[data-island] form')) form.noValidate = true
  history.replaceState(null, '', path)
  return holder
}

/** Makes islands of the page alive, as a touch does; a page that differs from what is alive fails the test. */
export const wake = async (...names: IslandName[]): Promise<void> => {
  const components = await prefetch(names)
  for (const [index, name] of names.entries()) {
    const island = document.querySelector<HTMLElement>(`[data-island="${name}"]`)
    const Component = components[index] as React.ComponentType<object> | undefined
    if (!island || !Component) throw new Error(`The page has no island ${name}`)
    render(<Component {...JSON.parse(island.dataset.props ?? '{}')} />, { container: island, hydrate: true })
  }
  await act(async () => {})
}

/** Shows a public page and wakes islands of it. `answers` are those of the API; a request for more fails the test. */
export const openPage = async (
  path: string,
  islands: IslandName[],
  answers: Record<string, Answer> = {},
): Promise<UserEvent> => {
  const toast = currentToast()
  if (toast) dismissToast(toast.id)
  answerRequests({ 'GET /api/support-hours': SUPPORT_HOURS, ...answers })
  await showPage(path)
  await wake(...islands)
  return userEvent.setup({ document, pointerEventsCheck: PointerEventsCheckLevel.Never })
}
