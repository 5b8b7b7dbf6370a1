import type { Webhook } from '../../events/wire/webhook.ts'

/** Why the site paused a webhook, as the end of a sentence; undefined where nobody or an owner did. A node of before does not know which. */
export const pauseReason = ({ isFailed, isGone, isPausedByRestore }: Webhook): string | undefined => {
  if (isFailed && isGone === undefined) return 'it took nothing for a day, or said that it is gone'
  if (isFailed) return isGone ? 'its receiver said that it is gone (status 410)' : 'it took nothing for a day'
  return isPausedByRestore ? 'a backup was restored' : undefined
}
