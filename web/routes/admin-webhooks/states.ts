export const STATE_NAMES = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  given_up: 'Given up',
  dropped: 'Not sent',
} as const

export const FILTERS = [
  { state: null, label: 'All' },
  ...Object.entries(STATE_NAMES).map(([state, label]) => ({ state, label })),
]
