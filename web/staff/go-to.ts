import { useHref, useLinkClickHandler } from 'react-router'

/** Goes along to a chat that is opened to be answered: its message field takes the focus. */
export const TO_ANSWER = { isToAnswer: true }

/** Whether a link led here to reply in a chat. */
export const isToAnswer = (state: unknown): boolean => Boolean(Object(state).isToAnswer)

/** The props that make a button-like link lead to another staff screen; `state` is passed along. */
export const useGoTo = (address: string, state?: unknown) => ({
  href: useHref(address),
  onClick: useLinkClickHandler<HTMLAnchorElement>(address, { state }),
})
