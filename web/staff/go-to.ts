import { useHref, useLinkClickHandler } from 'react-router'

/** Goes along to a chat that is opened to be answered: its message field takes the focus. */
export const TO_ANSWER = { isToAnswer: true }

/** Whether a link came here to answer a chat. */
export const isToAnswer = (state: unknown): boolean => Boolean(Object(state).isToAnswer)

/** What a link that looks like a button needs to lead to another staff screen; `state` goes along. */
export const useGoTo = (address: string, state?: unknown) => ({
  href: useHref(address),
  onClick: useLinkClickHandler<HTMLAnchorElement>(address, { state }),
})
