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
  /** The address that the screen has come to: path and query. */
  address: () => string
  /** Goes to another address, as a link of the app does. */
  go: (address: string) => Promise<void>
  /** Goes back in the history. */
  back: () => Promise<void>
  /** Takes the page away, and what it has fetched, as a reload or a closed tab does. */
  close: () => void
}

/** Tests follow each other within the two seconds in which SWR would take what the one before has fetched. */
const fetching = { dedupingInterval: 0 }

/** Waits for a text that an element has as a whole, however many elements it is made of, such as that of a notice. */
export const said = (text: string | RegExp): Promise<HTMLElement> => {
  const isSaid = (it: Element) =>
    typeof text === 'string' ? it.textContent?.trim() === text : text.test(it.textContent?.trim() ?? '')
  return screen.findByText((_, it) => it !== null && isSaid(it) && ![...it.children].some(isSaid))
}

const open = (routes: RouteObject[], address: string, answers: Record<string, Answer>): TestScreen => {
  answerRequests({ ...QUIET, ...answers })
  // a document lays nothing out: what is under the pointer is not known
  const user = userEvent.setup({ document, pointerEventsCheck: PointerEventsCheckLevel.Never })
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  const go = (to: string) => router.navigate(to)
  const { unmount } = render(
    <SWRConfig value={fetching}>
      <App go={go}>
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

/**
 * Renders the staff app at an address into the test's document (jsdom), with the frame around the screen. `answers` are
 * those of the API, beside what every screen asks for (`QUIET`); the test fails if the screen asks for more. Find things
 * by `screen` of Testing Library.
 */
export const openScreen = async (address: string, answers: Record<string, Answer> = {}): Promise<TestScreen> =>
  open(staffRoutes, address, answers)

/** Renders a piece of a staff screen alone, which is far quicker than all of a large one; otherwise as `openScreen`. */
export const openPart = (part: ReactNode, answers: Record<string, Answer> = {}): TestScreen =>
  open([{ path: '*', element: part }], '/', answers)
