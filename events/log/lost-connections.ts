import process from 'node:process'
import { isLost } from './connection.ts'

/**
 * Keeps the process alive where a connection is lost while postgres.js asks it for its types: nobody can handle the failure
 * of that question. All other rejections that nobody handles still end the process.
 */
export const surviveLostConnections = (): void => {
  process.on('unhandledRejection', (error) => {
    if (!isLost(error)) throw error
  })
}
