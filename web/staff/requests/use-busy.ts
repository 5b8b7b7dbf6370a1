import { useState } from 'react'
import { toastFailure } from './refusal.ts'

/**
 * Runs one piece of work at a time: `run` does nothing while another one is under way, and returns whether it succeeded.
 * A toast shows why it `failed`.
 */
export const useBusy = (failed: string) => {
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (isBusy) return false
    setBusy(true)
    try {
      await work()
      return true
    } catch (error) {
      toastFailure(failed, error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, run }
}
