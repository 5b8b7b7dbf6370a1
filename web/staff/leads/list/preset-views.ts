import { withView } from './address.ts'
import type { LeadKinds } from './kinds.ts'

const PRESETS: { name: string; kinds: LeadKinds }[] = [
  { name: 'My leads', kinds: { owner: 'me' } },
  { name: 'Overdue', kinds: { overdue: 'true' } },
  { name: 'Next action due', kinds: { nextAction: 'due' } },
  { name: 'Unassigned', kinds: { owner: 'none' } },
]

/** Frequent searches of staff, over all dates, as the dashboard's query strings. */
export const PRESET_VIEWS: readonly { name: string; query: string }[] = PRESETS.map(({ name, kinds }) => ({
  name,
  query: withView(new URLSearchParams(), { period: 'all', kinds }).toString(),
}))
