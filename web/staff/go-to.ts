import { useHref, useLinkClickHandler } from 'react-router'

/** What a link that looks like a button needs to lead to another staff screen; `state` goes along. */
export const useGoTo = (address: string, state?: unknown) => ({
  href: useHref(address),
  onClick: useLinkClickHandler<HTMLAnchorElement>(address, { state }),
})
