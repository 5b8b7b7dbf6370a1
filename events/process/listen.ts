import { once } from 'node:events'
import type { Server } from 'node:net'
import { errorCode } from '../base/error-code.ts'
import { PlainError } from '../base/plain-error.ts'

/** The port cannot be used; the message is one line with advice. */
export class PortError extends PlainError {
  override name = 'PortError'
}

type Place = { variable?: string; address?: string | undefined }

/** Listens on the port that `variable` sets, at one address or at all. Throws a PortError if it cannot be used. */
export const listen = async (
  server: Server,
  port: number,
  { variable = 'PORT', address }: Place = {},
): Promise<void> => {
  server.listen(port, address)
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = errorCode(error)
    if (!code) throw error
    throw new PortError(`${variable}: ${port} cannot be used (${code}): stop what uses it, or choose another`, {
      cause: error,
    })
  }
}
