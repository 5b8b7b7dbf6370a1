/** Runs at most `most` tasks at once; the others wait in turn. */
export const limitTasks = (most: number) => {
  const waiting: (() => void)[] = []
  let working = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (working >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else working += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else working -= 1
    }
  }
}
