import { FOLLOW_UP_STATUSES, OPEN_STATUSES } from '../../../../events/lead/follow-up/follow-up.ts'
import {
  kindOfLead,
  LEAD_PACKAGES,
  LEAD_SOURCES,
  type LeadPackage,
  type LeadSource,
} from '../../../../events/lead/form/kind.ts'
import { PACKAGE_NAMES, SOURCE_NAMES, STATUS_NAMES } from '../../../../events/lead/labels.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import type { SupportHoursHistory } from '../../../../events/settings/support-hours-history.ts'
import { FORMER_COLLEAGUE } from '../../../../events/staff/staff.ts'
import type { Colleague } from '../../../../events/staff/wire.ts'
import { dayOf } from '../../day.ts'
import { replyClock } from '../clock/clock.ts'

/** The statuses to filter by: `open` is each that staff may still win. */
export const LISTED_STATUSES = ['open', ...FOLLOW_UP_STATUSES] as const

export type ListedStatus = (typeof LISTED_STATUSES)[number]

export const LISTED_STATUS_NAMES: Record<ListedStatus, string> = { open: 'Open', ...STATUS_NAMES }

const OPEN: ReadonlySet<string> = new Set(OPEN_STATUSES)

/**
 * The filters of a list of leads, by their names in addresses and the API. `owner` is an account's id, `me` or `none`;
 * `overdue` selects only those whose first reply is late, `nextAction` those whose next action is due today or was
 * before.
 */
export type LeadKinds = {
  status?: ListedStatus
  owner?: string
  source?: LeadSource
  package?: LeadPackage
  overdue?: 'true'
  nextAction?: 'due'
}

/** The filters' names, in the order of the controls. */
export const KIND_NAMES = [
  'status',
  'owner',
  'source',
  'package',
  'overdue',
  'nextAction',
] as const satisfies (keyof LeadKinds)[]

const known = <Word extends string>(words: readonly Word[], text: string | null) => words.find((word) => word === text)

const isOwner = (text: string) => /^(me|none|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(text)

/** The filters in an address; values that cannot be read are left out. */
export const readKinds = (query: URLSearchParams): LeadKinds => {
  const [status, source] = [known(LISTED_STATUSES, query.get('status')), known(LEAD_SOURCES, query.get('source'))]
  const [wanted, owner] = [known(LEAD_PACKAGES, query.get('package')), query.get('owner') ?? '']
  return {
    ...(status && { status }),
    ...(isOwner(owner) && { owner }),
    ...(source && { source }),
    ...(wanted && { package: wanted }),
    ...(query.get('overdue') === 'true' && { overdue: 'true' }),
    ...(query.get('nextAction') === 'due' && { nextAction: 'due' }),
  }
}

export const isAnyKind = (kinds: LeadKinds) => KIND_NAMES.some((name) => kinds[name] !== undefined)

const isNextActionDue = ({ nextActionDate }: Lead, now: Date) => nextActionDate !== null && nextActionDate <= dayOf(now)

/** Whether a lead passes these filters. `me` is the id of the signed-in account. */
export const isOfKinds = (
  lead: Lead,
  kinds: LeadKinds,
  { me, now, history }: { me: string | undefined; now: Date; history: SupportHoursHistory },
) => {
  const { source, package: wanted } = kindOfLead(lead)
  const owner = kinds.owner === 'me' ? me : kinds.owner
  return (
    (!kinds.status ||
      (kinds.status === 'open' ? OPEN.has(lead.followUpStatus) : lead.followUpStatus === kinds.status)) &&
    (!owner || (lead.ownerId ?? 'none') === owner) &&
    (!kinds.source || source === kinds.source) &&
    (!kinds.package || wanted === kinds.package) &&
    (!kinds.overdue || (replyClock(lead, now, history)?.isOverdue ?? false)) &&
    (!kinds.nextAction || isNextActionDue(lead, now))
  )
}

export const ownerInWords = (owner: string, colleagues: readonly Colleague[]) => {
  if (owner === 'me') return 'My leads'
  if (owner === 'none') return 'Unassigned'
  return colleagues.find(({ id }) => id === owner)?.displayName ?? FORMER_COLLEAGUE
}

export const kindsInWords = (kinds: LeadKinds, colleagues: readonly Colleague[]): string[] => [
  ...(kinds.status ? [LISTED_STATUS_NAMES[kinds.status]] : []),
  ...(kinds.owner ? [ownerInWords(kinds.owner, colleagues)] : []),
  ...(kinds.source ? [SOURCE_NAMES[kinds.source]] : []),
  ...(kinds.package ? [PACKAGE_NAMES[kinds.package]] : []),
  ...(kinds.overdue ? ['Overdue'] : []),
  ...(kinds.nextAction ? ['Next action due'] : []),
]
