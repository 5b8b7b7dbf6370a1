import { linkGeneration } from '../../../events/chat/store/links.ts'
import type { ApiNode } from '../../node/node.ts'
import type { Missed } from '../room/hub.ts'
import { FrameError } from '../socket/frame.ts'

/**
 * The pass by which a visitor entered: the generation of links that is valid according to their socket, and whether the
 * chat is their own, since they have the key that began it. The visitor of an own chat stays when its links are
 * revoked; for others `isRevoked` is set.
 */
export type Pass = { generation: number; isOwn: boolean; isRevoked: boolean }

export const cannotResume = () =>
  new FrameError('unknown_session', 'This chat cannot be resumed: join without a sessionId')

/** Whether a pass is still valid. The pass of the chat's own visitor is renewed with the current generation. */
export const renewPass = async ({ sql }: Pick<ApiNode, 'sql'>, sessionId: string, pass: Pass): Promise<boolean> => {
  const generation = await linkGeneration(sql, sessionId)
  if (generation <= pass.generation) return true
  if (!pass.isOwn) return false
  pass.generation = generation
  return true
}

/** Refuses a visitor whose links were revoked: before their room was read (see `entered`), or during that time. */
export const expectValid = async (node: Pick<ApiNode, 'sql'>, sessionId: string, pass: Pass, entered: Missed) => {
  if (pass.isRevoked || (entered.isRevoked && !(await renewPass(node, sessionId, pass)))) throw cannotResume()
}
