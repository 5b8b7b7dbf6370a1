import { render, screen } from '@testing-library/react'
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router'
import { SWRConfig } from 'swr'
import { staffRoutes } from '../routes.tsx'
import { App } from '../staff/shell/app.tsx'
import { QUIET } from './answers.ts'
import { forgetFetched } from './fetched.ts'
import { type Answer, answerRequests } from './server.ts'

/** A staff screen in a document. */
export type TestScreen = {
  user: UserEvent
  /** The screen's current address: path and query. */
  address: () => string
  /** Opens another address, like a link of the app. */
  go: (address: string, state?: unknown) => Promise<void>
  /** Goes back in the history. */
  back: () => Promise<void>
  /** Removes the page and its fetched data, as a reload or a closed tab does. */
  close: () => void
}

/** Tests follow each other within the two seconds in which SWR would reuse the data of the test before. */
const fetching = { dedupingInterval: 0 }

/** Waits for a text that an element has as a whole, however many elements it consists of, such as that of a toast. */
export const said = (text: string | RegExp): Promise<HTMLElement> => {
  const isSaid = (it: Element) =>
    typeof text === 'string' ? it.textContent?.trim() === text : text.test(it.textContent?.trim() ?? '')
  return screen.findByText((_, it) => it !== null && isSaid(it) && ![...it.children].some(isSaid))
}

const open = (routes: RouteObject[], address: string, answers: Record<string, Answer>): TestScreen => {
  answerRequests({ ...QUIET, ...answers })
  // a document has no layout: the element under the pointer is unknown
  const user = userEvent.setup({ document, pointerEventsCheck: PointerEventsCheckLevel.Never })
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  const go = (to: string, state?: unknown) => router.navigate(to, { state })
  const { unmount } = render(
    <SWRConfig value={fetching}>
      <App go={(to) => go(to)}>
        <RouterProvider router={router} />
      </App>
    </SWRConfig>,
  )
  const where = () => router.state.location.pathname + router.state.location.search
  const close = () => {
    unmount()
    forgetFetched()
  }
  return { user, address: where, go, back: () => router.navigate(-1), close }
}

/** Presses an entry of the account's menu, which is closed. */
export const pressInAccountMenu = (user: UserEvent, name: string) =>
  user.click(screen.getByRole('button', { name, hidden: true }))

/**
 * Renders the staff app at an address into the test's document (jsdom), with the frame around the screen. `answers` are
 * the API's responses, besides those that every screen needs (`QUIET`); any other request fails the test. Find elements
 * by `screen` of Testing Library.
 */
export const openScreen = async (address: string, answers: Record<string, Answer> = {}): Promise<TestScreen> =>
  open(staffRoutes, address, answers)

/** Renders a part of a staff screen alone, which is far quicker than all of a large one; otherwise as `openScreen`. */
export const openPart = (part: ReactNode, answers: Record<string, Answer> = {}): TestScreen =>
  open([{ path: '*', element: part }], '/', answers)
