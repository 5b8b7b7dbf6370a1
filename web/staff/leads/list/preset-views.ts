/** Frequent searches of staff, over all dates, as the dashboard's query strings. */
export const PRESET_VIEWS: readonly { name: string; query: string }[] = [
  { name: 'My leads', query: 'period=all&owner=me' },
  { name: 'Overdue', query: 'period=all&overdue=true' },
  { name: 'Next action due', query: 'period=all&nextAction=due' },
  { name: 'Unassigned', query: 'period=all&owner=none' },
]
