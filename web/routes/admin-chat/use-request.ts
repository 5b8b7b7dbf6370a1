import { useCallback, useState } from 'react'

export type RequestState = 'idle' | 'busy' | 'done' | 'failed'

/**
 * One request to the server at a time: `ask` returns whether it succeeded, and does nothing while one is pending.
 * `failure` is the text in the browser's log if it did not succeed, and `error` is the reason. `reset` clears the
 * outcome of the last one.
 */
export const useRequest = <Args extends unknown[]>(work: (...args: Args) => Promise<unknown>, failure: string) => {
  const [state, setState] = useState<RequestState>('idle')
  const [error, setError] = useState<unknown>()
  const ask = async (...args: Args): Promise<boolean> => {
    if (state === 'busy') return false
    setState('busy')
    try {
      await work(...args)
      setState('done')
      return true
    } catch (cause) {
      console.warn(failure, cause)
      setError(cause)
      setState('failed')
      return false
    }
  }
  const reset = useCallback(() => setState('idle'), [])
  return { state, error, ask, reset }
}
