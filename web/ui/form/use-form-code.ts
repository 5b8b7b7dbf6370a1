import { type FormEvent, useCallback, useRef, useState } from 'react'
import type * as Endings from './endings.tsx'
import { postPlainly } from './post-plainly.ts'

/**
 * The code that a form needs once somebody fills it in, so that opening a page does not cost it: what checks and sends it
 * (`loadSending`), and how it ends (`endings`, undefined until it is there). What is there already is not fetched again.
 */
export const useFormCode = (loadSending: () => Promise<unknown>) => {
  const [endings, setEndings] = useState<typeof Endings>()
  const isSending = useRef(false)

  const loadEndings = useCallback(() => {
    import('./endings.tsx').then(setEndings, () => {})
  }, [])

  /** Fetches all of it, ahead of the time when it is needed. */
  const prepare = useCallback(() => {
    loadEndings()
    loadSending().catch(() => {})
  }, [loadEndings, loadSending])

  /**
   * What a form does when it is submitted: `send`, once, however often it is submitted meanwhile. Where its code cannot be
   * fetched the browser posts the form; `onFailure` hears where there is no network for that either.
   */
  const submitBy =
    (send: (event: FormEvent<HTMLFormElement>) => Promise<unknown>, onFailure: (error: unknown) => void) =>
    async (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (isSending.current) return
      isSending.current = true
      const form = event.currentTarget
      loadEndings()
      try {
        await loadSending()
        await send(event)
      } catch (error) {
        await postPlainly(form, () => onFailure(error))
      } finally {
        isSending.current = false
      }
    }

  return { endings, loadEndings, prepare, submitBy }
}
