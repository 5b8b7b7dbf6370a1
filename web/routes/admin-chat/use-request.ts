import { useCallback, useState } from 'react'

/** How something that staff ask of the server goes. */
export type RequestState = 'idle' | 'busy' | 'done' | 'failed'

/**
 * One thing at a time that staff ask of the server: `ask` tells whether it was done, and does nothing while it is under
 * way. `failure` is what the browser's log says where it was not done, and `error` is why. `reset` forgets how the last
 * one went.
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
