import * as v from 'valibot'
import { CLIENT_FRAMES, type ErrorCode, type ReceivedFrame } from '../../../events/chat/client-frames.ts'

/** The description of an error may quote the frame. */
const MAX_ERROR_CHARACTERS = 200

/** A frame that is refused; the client is sent the reason. */
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

/**
 * Parses a client's frame as JSON.
 * @throws a FrameError if it is not JSON.
 */
export const parseFrame = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new FrameError('bad_frame', 'A frame has to be JSON')
  }
}

/**
 * Validates a client's frame; undefined if its type is unknown.
 * @throws a FrameError if it is invalid.
 */
export const validateFrame = (frame: unknown): ReceivedFrame | undefined => {
  if (typeof frame !== 'object' || frame === null || !('type' in frame) || typeof frame.type !== 'string') {
    throw new FrameError('bad_frame', 'A frame has to be an object with a type')
  }
  const schema = CLIENT_FRAMES.get(frame.type)
  if (!schema) return undefined
  const result = v.safeParse(schema, frame, { abortEarly: true })
  if (result.success) return result.output
  throw new FrameError('bad_frame', result.issues[0].message.slice(0, MAX_ERROR_CHARACTERS))
}

/** The sender's id for the message of a frame that may be invalid otherwise. */
export const clientMessageIdOf = (frame: unknown): string | undefined => {
  if (typeof frame !== 'object' || frame === null || !('clientMessageId' in frame)) return undefined
  const { clientMessageId } = frame
  return typeof clientMessageId === 'string' ? clientMessageId.slice(0, 100) : undefined
}
