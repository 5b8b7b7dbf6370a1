import process from 'node:process'

/**
 * Runs `stop` once, when the process is asked to end: by SIGTERM or SIGINT, or because the parent that talks to it is
 * gone. Then ends the process: with status 0, or with 1 if `stop` failed or took longer than `deadlineMs`. Returns a
 * function that ends the process in the same way for another reason, with its own status.
 */
export const onShutdown = (
  deadlineMs: number,
  stop: (reason: string) => Promise<void>,
): ((reason: string, status: number) => void) => {
  let isStopping = false
  const begin = (reason: string, status = 0) => {
    if (isStopping) return
    isStopping = true
    const deadline = setTimeout(() => process.exit(1), deadlineMs).unref()
    const exit = (how: number) => {
      clearTimeout(deadline)
      process.exit(how)
    }
    stop(reason).then(
      () => exit(status),
      () => exit(1),
    )
  }
  process.on('SIGTERM', () => begin('SIGTERM'))
  process.on('SIGINT', () => begin('SIGINT'))
  process.on('disconnect', () => begin('the parent is gone'))
  return begin
}
