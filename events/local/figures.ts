import process from 'node:process'

/** The value below which a share (0 to 1) of the samples lies. */
export const quantile = (samples: number[], share: number): number => {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The middle of the samples, or halfway between the middle two: noisy machines spoil the mean. */
export const median = (samples: number[]): number => {
  const sorted = samples.toSorted((a, b) => a - b)
  const [below, above] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2
}

/** Prints rows as columns, numbers to the right. */
export const printTable = (header: string[], rows: string[][]): void => {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  for (const row of [header, ...rows]) process.stdout.write(`  ${line(row)}\n`)
}

/** The most moments that lie in any one second; they are times in milliseconds. */
export const busiestSecond = (moments: readonly number[]): number => {
  const sorted = moments.toSorted((a, b) => a - b)
  let most = 0
  for (let first = 0, last = 0; last < sorted.length; last += 1) {
    while ((sorted[last] ?? 0) - (sorted[first] ?? 0) >= 1_000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** A duration in milliseconds, as it is printed. */
export const figureOf = (milliseconds: number): string => milliseconds.toFixed(1)
