import type { ReactNode } from 'react'
import { SWRConfig } from 'swr'
import { request } from '../http.ts'
import { GlobalStyle } from '../ui/global-style.tsx'
import { Toaster } from '../ui/toast/toaster.tsx'

/** Fetching as the specification has it (7): never stale, no refetch on focus, no polling unless set, never retried. */
const fetching = {
  fetcher: async (key: string) => (await request(key)).json(),
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
}

/** What all staff screens stand in: styles, fetching, notices. */
export const App = ({ children }: { children: ReactNode }) => (
  <SWRConfig value={fetching}>
    <GlobalStyle />
    {children}
    <Toaster />
  </SWRConfig>
)
