import { useHref, useLinkClickHandler } from 'react-router'

/** What a link that looks like a button needs to lead to another staff screen. */
export const useGoTo = (address: string) => ({ href: useHref(address), onClick: useLinkClickHandler(address) })
