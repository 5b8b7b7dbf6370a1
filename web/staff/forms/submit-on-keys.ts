import type { KeyboardEvent } from 'react'
import { isComposing } from '../../ui/composing.ts'

/** Submits a form by Ctrl or Cmd and Enter in one of its fields, as its button does: Enter alone starts a new line. */
export const submitOnKeys = (event: KeyboardEvent<HTMLFormElement>) => {
  const isSubmit = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isComposing(event.nativeEvent)
  if (!isSubmit || !(event.target instanceof Element) || !event.target.matches('input, textarea')) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
