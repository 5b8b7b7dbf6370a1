// Loaded before the product by `--import`: SIGUSR2 sets the clock of this process an hour forward, and back again. The
// clock of the machine, which others use, stays.
import process from 'node:process'

const MOVED_BY_MS = 3_600_000

let offsetMs = 0
const trueNow = Date.now

process.on('SIGUSR2', () => {
  offsetMs = offsetMs === 0 ? MOVED_BY_MS : 0
})

Date.now = () => trueNow() + offsetMs
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [Date.now()] : args, newTarget),
})
