/** The owners by which a console can filter its list of chats. */
export const ASSIGNEE_FILTERS = ['all', 'mine', 'unassigned'] as const

export type AssigneeFilter = (typeof ASSIGNEE_FILTERS)[number]

const ASSIGNED = { all: '', mine: 'me', unassigned: 'none' } as const

type Query = { state: 'active' | 'ended'; limit: number; assignees?: AssigneeFilter; q?: string; cursor?: string }

export const chatsAddress = ({ assignees = 'all', limit, q = '', cursor = '', state }: Query) => {
  const query = { state, limit: String(limit), q, assigned: ASSIGNED[assignees], cursor }
  return `/api/chats?${new URLSearchParams(Object.entries(query).filter(([, value]) => value))}`
}

/** The address of a page of active chats: of the newest, or of those after a cursor. */
export const activePage = (query: Pick<Query, 'assignees' | 'cursor'>) =>
  chatsAddress({ state: 'active', limit: 50, ...query })
