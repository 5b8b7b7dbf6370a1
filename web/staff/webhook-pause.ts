import type { Webhook } from '../../events/wire/webhook.ts'

/**
 * Why the site paused a webhook, as the end of a sentence; undefined if an owner paused it, or nobody did. An older
 * node does not say which.
 */
export const pauseReason = ({ isFailed, isGone, isPausedByRestore }: Webhook): string | undefined => {
  if (isFailed && isGone === undefined) return 'it took nothing for a day, or said that it is gone'
  if (isFailed) return isGone ? 'its receiver said that it is gone (status 410)' : 'it took nothing for a day'
  return isPausedByRestore ? 'a backup was restored' : undefined
}
