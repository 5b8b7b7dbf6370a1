import process from 'node:process'

/** The most processor time between two turns of the event loop during some work, in milliseconds. */
export const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let before = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.threadCpuUsage()
  }
  let isOver = false
  const turn = () => {
    look()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  look()
  isOver = true
  return longest
}
