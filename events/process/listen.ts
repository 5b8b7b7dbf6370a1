import { once } from 'node:events'
import type { Server } from 'node:net'
import { errorCode } from '../base/error-code.ts'

/** The port is taken; the message is one line that says what to do. */
export class PortError extends Error {
  override name = 'PortError'
}

type Place = { variable?: string; address?: string | undefined }

/** Takes the port that `variable` names, at one address or at all. Throws a PortError where it cannot be had. */
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
