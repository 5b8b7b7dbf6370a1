import { readFileSync } from 'node:fs'
import { act, render } from '@testing-library/react'
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event'
import type { ComponentType } from 'react'
import type { RenderedSite } from '../../events/settings/rendered-content.ts'
import { AGENCY_ELEMENT_ID, agency } from '../content/agency.ts'
import { type IslandName, prefetch } from '../pages/islands.ts'
import { TOASTER_ID } from '../ui/toast/mount.ts'
import { Toaster } from '../ui/toast/toaster.tsx'
import { currentToast, dismissToast } from '../ui/toast/toasts.ts'
import { type Answer, answerRequests } from './server.ts'

/** Mondays to Fridays from 8 to 18, as in the response of `GET /api/support-hours`. */
const SUPPORT_HOURS = { opensAtMinute: 480, closesAtMinute: 1080, days: [1, 2, 3, 4, 5] }

const plainSite = () => JSON.parse(readFileSync('web/dist/plain.json', 'utf8')) as RenderedSite

let built: RenderedSite | undefined

/** The body of a built page, which each test run keeps current, for an agency without any settings. */
const bodyOf = (path: string): string => {
  built ??= plainSite()
  const html = built.pages[path] ?? built.missing
  const body = html.slice(html.indexOf('>', html.indexOf('<body')) + 1, html.indexOf(`id="${AGENCY_ELEMENT_ID}"`))
  const { name, email, phone, dial, whatsapp, publicUrl, supportHours } = agency()
  const particulars: Record<string, string> = {
    AGENCY_NAME: name,
    AGENCY_EMAIL: email,
    AGENCY_PHONE: phone,
    AGENCY_DIAL: dial,
    AGENCY_WHATSAPP: whatsapp,
    PUBLIC_URL: publicUrl,
    SUPPORT_HOURS: supportHours,
    TERMS_ESSENTIAL: '1',
    TERMS_PROFESSIONAL: '1',
    TERMS_PREMIUM: '1',
  }
  return body
    .slice(0, body.lastIndexOf('<script'))
    .replace(/\{\{([A-Z_]+)\}\}/g, (token, name) => particulars[name] ?? token)
}

/** The notification region, which ends with the test; a page would mount one for good. */
const holdToaster = () => {
  const container = document.getElementById(TOASTER_ID) ?? document.body.appendChild(document.createElement('div'))
  if (container.hasChildNodes()) return
  container.id = TOASTER_ID
  render(<Toaster />, { container })
}

let holder: HTMLElement | undefined

/** Puts the HTML of a public page into the document, in place of the page before. No island is hydrated. */
export const showPage = (path: string): HTMLElement => {
  holder?.remove()
  holder = document.createElement('div')
  holder.innerHTML = bodyOf(path)
  document.body.append(holder)
  // as boot.ts does
  for (const form of holder.querySelectorAll<HTMLFormElement>('[data-island] form')) form.noValidate = true
  history.replaceState(null, '', path)
  return holder
}

/**
 * Hydrates islands of the page, as a touch does; a difference between the page and its hydrated form fails the test.
 */
export const wake = async (...names: IslandName[]): Promise<void> => {
  const components = await prefetch(names)
  for (const [index, name] of names.entries()) {
    const island = document.querySelector<HTMLElement>(`[data-island="${name}"]`)
    const Component = components[index] as ComponentType<object> | undefined
    if (!island || !Component) throw new Error(`The page has no island ${name}`)
    render(<Component {...JSON.parse(island.dataset.props ?? '{}')} />, { container: island, hydrate: true })
  }
  await act(async () => {})
}

/**
 * Shows a public page and hydrates islands of it. `answers` are the API's responses; any other request fails the test.
 */
export const openPage = async (
  path: string,
  islands: IslandName[],
  answers: Record<string, Answer> = {},
): Promise<UserEvent> => {
  act(() => dismissToast(currentToast()?.id ?? 0))
  answerRequests({ 'GET /api/support-hours': SUPPORT_HOURS, ...answers })
  showPage(path)
  holdToaster()
  await wake(...islands)
  return userEvent.setup({ document, pointerEventsCheck: PointerEventsCheckLevel.Never })
}
