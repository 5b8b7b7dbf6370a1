import { LogError } from './errors.ts'

const MAX_TRIES = 5

/**
 * Reads, decides and appends, all of it again where somebody else was faster: the stream was no longer at the version
 * that the decision was made on. Throws what the fifth try throws, and at once whatever else is thrown.
 */
export const whileLate = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      const isLate = error instanceof LogError && error.code === 'wrong_version'
      if (!isLate || tries === MAX_TRIES) throw error
    }
  }
}
