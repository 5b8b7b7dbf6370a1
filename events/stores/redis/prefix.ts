/**
 * The prefix of all names in Redis, from the log's epoch: products that share one Redis stay apart, and after a
 * restored backup (a new epoch) no job or wake-up of the other history is found. The braces keep the keys of one queue
 * on one slot of a Cluster.
 */
export const redisPrefix = (epoch: string): string => `{agency-${epoch.slice(0, 8)}}:`
