import type { ServerFrame } from '../../../events/chat/sent-frames.ts'
import { LogError } from '../../../events/keys/errors.ts'
import { OverLimitError } from '../../admission/admission.ts'
import { FrameError } from './frame.ts'

type Refusal = Omit<Extract<ServerFrame, { type: 'error' }>, 'type' | 'clientMessageId' | 'refused'>

/** The refusal of a log error; undefined if the client could not act on it. */
const refusalOfLog = ({ code, currentVersion }: LogError): Refusal | undefined => {
  if (code === 'guard_failed' && currentVersion === 0) {
    return { code: 'unknown_session', message: 'There is no such chat' }
  }
  if (code === 'guard_failed' || code === 'erased') return { code: 'chat_ended', message: 'This chat has ended' }
  if (code === 'event_id_reused') {
    return { code: 'id_reused', message: 'This clientMessageId belongs to another message' }
  }
  return undefined
}

/** The reason for which a frame was refused, for the client; undefined if the node itself failed. */
export const refusalOf = (error: unknown): Refusal | undefined => {
  if (error instanceof FrameError) return { code: error.code, message: error.message }
  if (error instanceof OverLimitError) {
    const { message, retryAfterS } = error
    return { code: 'too_many_requests', message, retryAfterS }
  }
  return error instanceof LogError ? refusalOfLog(error) : undefined
}
