import type { Context } from 'hono'
import { noteFailedSignIn } from '../../events/staff/store/failed-sign-ins.ts'
import type { CallerKeys } from '../admission/admission.ts'
import type { LimitName } from '../admission/limits.ts'
import type { ApiNode } from '../node/node.ts'
import { originOf } from './request-origin.ts'

/**
 * Checks a password or a code by `work`, which returns whether it was right. Each attempt takes a point of some limits
 * before it begins, so that many at once get no further; only a wrong one uses it up. An attempt that was right, or
 * could not be checked, returns the point.
 */
export const attempt = async (
  { admission }: ApiNode,
  limits: [LimitName, CallerKeys][],
  work: () => Promise<boolean>,
): Promise<boolean> => {
  for (const [limit, caller] of limits) await admission.admit(limit, caller)
  const refund = () => Promise.all(limits.map(([limit, caller]) => admission.refund(limit, caller)))
  try {
    const isRight = await work()
    if (isRight) await refund()
    return isRight
  } catch (error) {
    await refund()
    throw error
  }
}

/** Counts a wrong password. The response does not wait for it: it takes as long for an unknown username. */
export const countFailure = (node: ApiNode, c: Context, accountId: string | undefined): void => {
  noteFailedSignIn(node, { accountId, from: originOf(node, c) }).catch((error) =>
    node.logger.error({ err: error }, 'a failed sign-in could not be counted'),
  )
}
