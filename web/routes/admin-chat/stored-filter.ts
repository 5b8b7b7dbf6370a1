import { ASSIGNEE_FILTERS, type AssigneeFilter } from '../../chat/console/console-pages.ts'
import { stored } from '../../client/stored.ts'

/** The assignees that a word of an address names. */
export const filterNamed = (word: unknown): AssigneeFilter | undefined =>
  ASSIGNEE_FILTERS.find((assignees) => assignees === word)

/** The assignees whose chats this browser listed last. */
export const storedFilter = stored('staff-chats-whose', 'device', filterNamed)
