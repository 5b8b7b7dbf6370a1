import * as v from 'valibot'
import { CLIENT_FRAME_TYPES, clientFrame, type ErrorCode, type ReceivedFrame } from '../../events/chat-frames.ts'

/** The largest frame that is read, in bytes of UTF-8. */
const MAX_FRAME_BYTES = 64 * 1024

/** A frame that is refused; the client is told why. */
export class FrameError extends Error {
  override name = 'FrameError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** A frame of one type. */
export type Frame<Type extends ReceivedFrame['type']> = Extract<ReceivedFrame, { type: Type }>

/** Reads a client's frame; undefined where nobody knows its type. Throws a FrameError where it is no good. */
export const parseFrame = (text: string): ReceivedFrame | undefined => {
  if (Buffer.byteLength(text) > MAX_FRAME_BYTES) throw new FrameError('too_large', 'A frame may hold 64 KiB')
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    throw new FrameError('bad_frame', 'A frame has to be JSON')
  }
  if (typeof frame !== 'object' || frame === null || !('type' in frame) || typeof frame.type !== 'string') {
    throw new FrameError('bad_frame', 'A frame has to be an object with a type')
  }
  if (!CLIENT_FRAME_TYPES.has(frame.type)) return undefined
  const result = v.safeParse(clientFrame, frame)
  if (result.success) return result.output
  throw new FrameError('bad_frame', result.issues.map(({ message }) => message).join(', '))
}

/** The id that the sender gave the message of a frame which may be no good otherwise. */
export const clientMessageIdOf = (text: string): string | undefined => {
  try {
    const { clientMessageId } = JSON.parse(text)
    return typeof clientMessageId === 'string' ? clientMessageId.slice(0, 100) : undefined
  } catch {
    return undefined
  }
}
