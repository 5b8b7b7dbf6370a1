import { type FormEvent, useCallback, useRef, useState } from 'react'
import type * as Endings from './lazy-parts.tsx'
import { postPlainly } from './native-submit.ts'

/**
 * Loads the code that a form needs once a visitor fills it in: the checks and sending (`loadSending`) and the panel
 * after it (`lazyParts`, undefined until loaded). Nothing is loaded twice.
 */
export const useFormCode = (loadSending: () => Promise<unknown>) => {
  const [lazyParts, setLazyParts] = useState<typeof Endings>()
  const isSending = useRef(false)

  const loadLazyParts = useCallback(() => {
    import('./lazy-parts.tsx').then(setLazyParts, () => {})
  }, [])

  /** Loads all of it ahead of need. */
  const prepare = useCallback(() => {
    loadLazyParts()
    loadSending().catch(() => {})
  }, [loadLazyParts, loadSending])

  /**
   * The submit handler: calls `send` once, however often the form is submitted during that time. If the code cannot be
   * loaded the browser posts the form; `onFailure` is called if there is no network for that either.
   */
  const submitBy =
    (send: (event: FormEvent<HTMLFormElement>) => Promise<unknown>, onFailure: (error: unknown) => void) =>
    async (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (isSending.current) return
      isSending.current = true
      const form = event.currentTarget
      loadLazyParts()
      try {
        await loadSending()
        await send(event)
      } catch (error) {
        await postPlainly(form, () => onFailure(error))
      } finally {
        isSending.current = false
      }
    }

  return { lazyParts, loadLazyParts, prepare, submitBy }
}
