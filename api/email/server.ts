import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { givenId } from '../../events/base/text.ts'
import { emailTestRequested, emailTestStreams } from '../../events/email/email.ts'
import { readLastTries, readTest } from '../../events/email/store/mail-server-state.ts'
import { emailServerState, emailTest } from '../../events/email/wire.ts'
import { readAlertSettings } from '../../events/staff/store/alerts.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import { waysOf } from './ways.ts'

const sourceOf = (node: ApiNode) => {
  if (node.config.hasServerVariable) return 'environment' as const
  if (node.settings.current.emailServer) return 'settings' as const
  return node.config.reachesPeople === undefined ? ('unknown' as const) : ('none' as const)
}

const sentTry = (made: { at: Date; answer: string } | undefined) =>
  made ? { at: made.at.toISOString(), answer: made.answer } : null

/** A test that no worker has come to yet. */
const WAITING = { state: 'waiting' as const, answer: '' }

/** The mail server as owners see it: its state, without its settings, and a test of it. */
export const emailServerRoutes = [
  route('GET', '/api/email-server', {
    access: 'owners',
    summary: 'The state of the mail server',
    query: v.object({ test: v.optional(givenId()) }),
    answer: emailServerState,
    handler: async ({ node, query: { test: testId } }) => {
      const { config, settings, sql } = node
      const [{ sent, failed }, test] = await Promise.all([
        readLastTries(sql),
        testId === undefined ? undefined : readTest(sql, testId),
      ])
      return {
        source: sourceOf(node),
        from: config.emailFrom ?? settings.current.emailServer?.from ?? config.agency.email,
        isFromSet: config.emailFrom !== undefined,
        hasService: config.forwardsEmail,
        lastSent: sentTry(sent),
        lastFailed: sentTry(failed),
        test: testId === undefined ? null : (test ?? WAITING),
      }
    },
  }),
  route('POST', '/api/email-server/test', {
    access: 'owners',
    summary: 'Sends a test email to oneself',
    answer: emailTest,
    status: 202,
    handler: async ({ node, c }) => {
      if (waysOf(node).reachesPeople === false) throw new RequestError('conflict', 'No mail server is set yet')
      const { id: by } = c.get('staff')
      await node.admission.admit('email_tests', { account: by })
      const { email } = await readAlertSettings(node.sql, by)
      const id = randomUUID()
      // a worker sends the email that this event requests
      await node.log.append({
        stream: emailTestStreams.of(id),
        expectedVersion: 0,
        events: [{ id, ...emailTestRequested({ by }) }],
      })
      return { id, to: email ?? node.config.agency.email }
    },
  }),
]
