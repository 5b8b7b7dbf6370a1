import { CLAIMS, type Claim, subjectOf, type Target } from './claims.ts'
import { figureText, wantedText } from './markdown.ts'
import { OURS } from './reported.ts'
import { outcomeOf, type Results } from './results.ts'

const WIDTH = 1_080
const LABEL_WIDTH = 560
const BAR_WIDTH = 280
const ROW_HEIGHT = 24
const HEAD_HEIGHT = 76
const FOOT_HEIGHT = 16
const BAR_HEIGHT = 12
/** The scale goes from a quarter of the target to four times that, by powers of two. */
const LOWEST = -2
const HIGHEST = 2

const INK = '#1d2330'
const MUTED = '#667085'
const LINE = '#d0d5dd'
const REACHED = '#12805c'
const MISSED = '#c4520d'
const QUICK = '#98a2b3'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The place on the scale of this many times the target, better to the right. */
const xOf = (times: number) => {
  const power = Math.min(HIGHEST, Math.max(LOWEST, Math.log2(times)))
  return LABEL_WIDTH + ((power - LOWEST) / (HIGHEST - LOWEST)) * BAR_WIDTH
}

/** How often the target is reached, whether more or less is better. */
const timesWanted = ({ atLeast, atMost = Number.NaN }: Target, value: number) =>
  atLeast === undefined ? atMost / value : value / atLeast

const labelOf = ({ what }: Claim, target: Target) => {
  const subject = subjectOf(target)
  const about = subject === OURS ? what : `${what}, ${subject}`
  return target.against === undefined ? about : `${about}, of ${target.against}`
}

/** Long labels are cut: the whole ones are in the table. */
const MAX_CHARACTERS = 92
const cut = (text: string) => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text)

type Bar = { label: string; value: number; wanted: string; times: number; color: string }

const barsOf = (results: Results): Bar[] =>
  CLAIMS.flatMap((claim) =>
    claim.targets.flatMap((target) => {
      const result = results[claim.id]
      const outcome = outcomeOf(target, result?.series ?? {})
      if (!result || !outcome) return []
      const color = result.isQuick ? QUICK : outcome.isReached ? REACHED : MISSED
      const times = timesWanted(target, outcome.value)
      const unit = target.against === undefined ? ` ${claim.unit}` : ''
      return [{ label: labelOf(claim, target), value: outcome.value, wanted: wantedText(target) + unit, times, color }]
    }),
  )

const barOf = ({ label, value, wanted, times, color }: Bar, index: number) => {
  const y = HEAD_HEIGHT + index * ROW_HEIGHT
  const middle = y + ROW_HEIGHT / 2
  const [from, to] = [xOf(2 ** LOWEST), xOf(times)]
  return `<text x="${LABEL_WIDTH - 12}" y="${middle + 4}" text-anchor="end" fill="${INK}">${escaped(cut(label))}</text>
<rect x="${from}" y="${middle - BAR_HEIGHT / 2}" width="${Math.max(2, to - from).toFixed(1)}" height="${BAR_HEIGHT}" rx="2" fill="${color}"/>
<text x="${LABEL_WIDTH + BAR_WIDTH + 12}" y="${middle + 4}" fill="${INK}"><tspan font-weight="600">${figureText(value)}</tspan><tspan fill="${MUTED}"> · ${escaped(wanted)}</tspan></text>`
}

const tickOf = (power: number, height: number) => {
  const x = xOf(2 ** power)
  const isGoal = power === 0
  const name = isGoal ? 'to reach' : power < 0 ? `1/${2 ** -power}` : `${2 ** power} ×`
  return `<line x1="${x}" x2="${x}" y1="${HEAD_HEIGHT - 6}" y2="${height - FOOT_HEIGHT}" stroke="${isGoal ? INK : LINE}"/>
<text x="${x}" y="${HEAD_HEIGHT - 12}" text-anchor="middle" fill="${isGoal ? INK : MUTED}">${name}</text>`
}

/** The report as a picture: a bar for each target, on a scale on which all of them should reach the same line. */
export const pictureOf = (results: Results): string => {
  const bars = barsOf(results)
  const height = HEAD_HEIGHT + Math.max(1, bars.length) * ROW_HEIGHT + FOOT_HEIGHT
  const ticks = Array.from({ length: HIGHEST - LOWEST + 1 }, (_, index) => tickOf(LOWEST + index, height))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="What was measured, beside what is to be reached">
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="20" y="30" font-size="17" font-weight="600" fill="${INK}">What was measured, beside what is to be reached</text>
<text x="20" y="50" fill="${MUTED}">green: reached · orange: not · grey: a quick run, which does not count</text>
${ticks.join('\n')}
${bars.map(barOf).join('\n')}
</svg>
`
}
