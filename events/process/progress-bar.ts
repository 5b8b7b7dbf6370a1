import process from 'node:process'

const BAR_CHARACTERS = 30
const DRAW_EVERY_MS = 100
const CLEAR_LINE = '\r\x1b[K'

/** A bar on the terminal, drawn at most ten times a second; elsewhere nothing. It goes to standard error. */
export const progressBar = (title: string, unit: string) => {
  const { stderr } = process
  let lastDrawn = 0
  return {
    draw: ({ position, head }: { position: number; head: number }) => {
      const now = performance.now()
      if (!stderr.isTTY || (now - lastDrawn < DRAW_EVERY_MS && position < head)) return
      lastDrawn = now
      const share = head === 0 ? 1 : position / head
      const bar = '█'.repeat(Math.round(share * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS, '░')
      stderr.write(`\r${title}  ${bar}  ${position} of ${head} ${unit}`)
    },
    /** For work whose end is not known. */
    count: (position: number) => {
      const now = performance.now()
      if (!stderr.isTTY || now - lastDrawn < DRAW_EVERY_MS) return
      lastDrawn = now
      stderr.write(`\r${title}  ${position} ${unit}`)
    },
    /** Takes the bar away. */
    clear: () => {
      if (stderr.isTTY) stderr.write(CLEAR_LINE)
    },
  }
}
