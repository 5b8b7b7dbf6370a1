/** The metric that a line of Prometheus's text format belongs to. */
const metricOf = (line: string) => /^(?:# (?:HELP|TYPE) )?([\w:]+)/.exec(line)?.[1] ?? ''

/**
 * Joins what BullMQ exports of several queues. The format wants the lines of a metric together, under one HELP and one
 * TYPE.
 */
export const joinExports = (texts: readonly string[]): string => {
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '')
  const byMetric = Map.groupBy(lines, metricOf)
  return [...byMetric.values()].flatMap((each) => [...new Set(each), '']).join('\n')
}
