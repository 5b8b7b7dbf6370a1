import { linkGeneration } from '../../../events/chat/store/links.ts'
import type { ApiNode } from '../../node/node.ts'
import type { Missed } from '../room/hub.ts'
import { FrameError } from '../socket/frame.ts'

/**
 * What a visitor came in by: the generation of links that works as far as their socket knows, and whether the chat is
 * their own, since they have the key that began it. They stay when the links are revoked; for others `isRevoked` is set.
 */
export type Pass = { generation: number; isOwn: boolean; isRevoked: boolean }

export const cannotResume = () =>
  new FrameError('unknown_session', 'This chat cannot be resumed: join without a sessionId')

/** Whether a pass still works. That of a visitor whose chat it is works on, by the links of now. */
export const renewPass = async ({ sql }: Pick<ApiNode, 'sql'>, sessionId: string, pass: Pass): Promise<boolean> => {
  const generation = await linkGeneration(sql, sessionId)
  if (generation <= pass.generation) return true
  if (!pass.isOwn) return false
  pass.generation = generation
  return true
}

/** Refuses a visitor whose links were revoked: before their room was read, which `entered` tells, or while it was. */
export const expectValid = async (node: Pick<ApiNode, 'sql'>, sessionId: string, pass: Pass, entered: Missed) => {
  if (pass.isRevoked || (entered.isRevoked && !(await renewPass(node, sessionId, pass)))) throw cannotResume()
}
