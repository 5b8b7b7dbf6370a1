import type { ReactNode } from 'react'
import { SWRConfig } from 'swr'
import { HttpError } from '../http.ts'
import { GlobalStyle } from '../ui/global-style.tsx'
import { Toaster } from '../ui/toast/toaster.tsx'
import { signInAddress } from './sign-in-address.ts'

/** Leaves for the sign-in page, with the way back. */
export const leaveToSignIn = () => location.assign(signInAddress(location.pathname + location.search + location.hash))

/** Fetching as the specification has it (7): never stale, no refetch on focus, no polling unless set, never retried. */
const fetching = {
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
  onError: (error: unknown) => {
    if (error instanceof HttpError && error.status === 401) leaveToSignIn()
  },
}

/** What all staff screens stand in: styles, fetching, notices. */
export const App = ({ children }: { children: ReactNode }) => (
  <SWRConfig value={fetching}>
    <GlobalStyle />
    {children}
    <Toaster />
  </SWRConfig>
)
