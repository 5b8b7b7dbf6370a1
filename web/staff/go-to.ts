import { useHref, useLinkClickHandler } from 'react-router'

/** Passed along to a chat that is opened for a reply: its message field takes the focus. */
export const TO_ANSWER = { isToAnswer: true }

/** Whether a link led here to reply in a chat. */
export const isToAnswer = (state: unknown): boolean => Boolean(Object(state).isToAnswer)

/** The props that make a button-like link lead to another staff screen; `state` is passed along. */
export const useGoTo = (address: string, state?: unknown) => ({
  href: useHref(address),
  onClick: useLinkClickHandler<HTMLAnchorElement>(address, { state }),
})
