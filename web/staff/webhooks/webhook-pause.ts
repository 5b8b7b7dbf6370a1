import type { Webhook } from '../../../events/webhook/wire.ts'

/** Why the site paused a webhook, as the end of a sentence; undefined if an owner paused it, or it is not paused. */
export const pauseReason = ({ isFailed, isGone, isPausedByRestore }: Webhook): string | undefined => {
  if (isFailed) return isGone ? 'its receiver said that it is gone (status 410)' : 'it took nothing for a day'
  return isPausedByRestore ? 'a backup was restored' : undefined
}
