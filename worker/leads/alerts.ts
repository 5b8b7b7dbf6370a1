/**
 * Notifies staff of leads by email (SMTP), each as chosen on their account screen: of a new lead in support hours, and
 * of the night's leads when the hours begin. Owners are also notified of a lead without a reply for 90 minutes of
 * support hours. A schedule in the queue `work` looks every 15 seconds. It requests all emails about a lead in one
 * append, which fails if the lead has been answered during that time. So there is one email per lead and person,
 * whichever worker dies. None goes out for a flagged submission, nor once the lead is answered or the person removed. A
 * lead whose data key is lost is passed over.
 */

import {
  ALERT_UNTIL_MS,
  isUnanswered,
  LATE_AFTER_MS,
  LEAD_ALERTS,
  type LeadAlert,
  leadAlertRequested,
  leadAlertStreams,
  leadPushRequested,
} from '../../events/lead/email/alert.ts'
import { type Lead, leadStreams } from '../../events/lead/lead.ts'
import { readOwnLead } from '../../events/lead/store/own-lead.ts'
import { leadsToAlertStaffOf, waitedLongerBefore } from '../../events/lead/store/waiting-leads.ts'
import type { Appender } from '../../events/log/append.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { readStream } from '../../events/log/read.ts'
import { backAt, type SupportHours } from '../../events/settings/support-time.ts'
import { type AlertedStaff, listAlertedStaff } from '../../events/staff/store/alerts.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { isOutdated, type PassOver } from '../consumers/pass-over.ts'

/** The maximum of leads in a sweep, the oldest first. The others come with the next one. */
const MAX_LEADS_PER_ROUND = 100
/** The maximum of events read about the alerts of a lead and their outcomes: all, for an agency of 100 people. */
const MAX_ALERT_EVENTS = 1_000

/** The dependencies of lead alerts. */
export type Alerting = {
  sql: Sql
  log: Pick<Appender, 'append'>
  hours: SupportHours
  /** Whether there is an SMTP server: only SMTP reaches single people by email. */
  canEmail: boolean
  passOver: PassOver
}

type AlertedLead = { lead: Lead; alert: LeadAlert }

const isNewSince = (since: Date | undefined, { timestamp }: Lead) =>
  since !== undefined && since.toISOString() <= timestamp

const emailTo = ({ id: accountId, email, emailedSince }: AlertedStaff, { lead, alert }: AlertedLead) => {
  if (email === null || !isNewSince(emailedSince, lead)) return []
  const id = deterministicUuid('lead alert', alert, lead.id, accountId)
  // a key of its own, not the lead's: it goes with the account (removed-accounts.ts)
  const about = { subjectId: id, personal: { to: email } }
  return [{ id, ...leadAlertRequested({ leadId: lead.id, accountId, alert }, about) }]
}

const pushTo = ({ id: accountId, pushedSince }: AlertedStaff, { lead, alert }: AlertedLead) => {
  if (!isNewSince(pushedSince, lead)) return []
  const event = leadPushRequested({ leadId: lead.id, accountId, alert })
  return [{ id: deterministicUuid('lead push', alert, lead.id, accountId), ...event }]
}

/**
 * Requests the emails and notifications about one lead, for all people at once: all of them are in the log, or none.
 * The append relies on the lead as it was read, so that no alert goes out for one that has been answered since then.
 */
const requestAlerts = async (
  { sql, log }: Alerting,
  alert: LeadAlert,
  leadId: string,
  people: readonly AlertedStaff[],
) => {
  const stream = leadAlertStreams.of(leadId)
  await handle(log, {
    read: async () => {
      const [known, requests] = await Promise.all([
        readOwnLead(sql, leadId),
        readStream(sql, stream, { limit: MAX_ALERT_EVENTS }),
      ])
      const guards = known ? [{ stream: leadStreams.of(leadId), version: known.version }] : []
      return { lead: known?.lead, requests, stream, version: requests.at(-1)?.version ?? 0, guards }
    },
    decide: ({ lead, requests }) => {
      if (!lead || !isUnanswered(lead)) return undefined
      const isRequested = requests.some(
        ({ type, data }) => (type === 'LeadAlertRequested' || type === 'LeadPushRequested') && data.alert === alert,
      )
      if (isRequested) return undefined
      const [first, ...others] = people.flatMap((person) => [
        ...emailTo(person, { lead, alert }),
        ...pushTo(person, { lead, alert }),
      ])
      return first && [first, ...others]
    },
    isOnce: true,
  })
}

/**
 * The time from which any of these people is notified of leads, by email or on a device: earlier leads are left out.
 */
const alertedSince = (people: readonly AlertedStaff[]): number => {
  const instants = people.flatMap(({ emailedSince, pushedSince }) => [emailedSince, pushedSince])
  return Math.min(...instants.filter((instant) => instant !== undefined).map((instant) => instant.getTime()))
}

/** A person with the ways alone that they have chosen for an alert. */
const byWaysOf = ({ emailedSince, pushedSince, ...person }: AlertedStaff, alert: LeadAlert): AlertedStaff => ({
  ...person,
  emailedSince: person.alerts.includes(`${alert}-email`) ? emailedSince : undefined,
  pushedSince: person.alerts.includes(`${alert}-device`) ? pushedSince : undefined,
})

const isReached = ({ emailedSince, pushedSince }: AlertedStaff) => (emailedSince ?? pushedSince) !== undefined

/**
 * Notifies staff of leads that wait for a reply, by email and on their devices, only in support hours. All who want it
 * are notified of new leads, and of the night's leads once the hours begin. Owners are notified of leads that have
 * waited for LATE_AFTER_MS. The log decides whether a lead waits and whether staff have been notified. A sweep that
 * breaks off is repeated by the next one, and two at once request each alert once.
 */
export const alertStaff = async (alerting: Alerting, { now }: { now: Date }): Promise<void> => {
  const { sql, hours } = alerting
  if (backAt(now, hours)) return
  const staff = await listAlertedStaff(sql, alerting)
  for (const alert of LEAD_ALERTS) {
    const people = staff.map((person) => byWaysOf(person, alert)).filter(isReached)
    if (people.length === 0) continue
    const from = new Date(Math.max(alertedSince(people), now.getTime() - ALERT_UNTIL_MS))
    const to = alert === 'new' ? now : await waitedLongerBefore(sql, { from, now, waitedMs: LATE_AFTER_MS })
    if (!to) continue
    for (const leadId of await leadsToAlertStaffOf(sql, alert, { from, to }, MAX_LEADS_PER_ROUND)) {
      await requestAlerts(alerting, alert, leadId, people).catch((error) => {
        if (!isOutdated(error)) alerting.passOver({ leadId }, error)
      })
    }
  }
}
