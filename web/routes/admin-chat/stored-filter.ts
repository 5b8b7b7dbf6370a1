import { WHOSE, type Whose } from '../../chat/console/console-pages.ts'
import { stored } from '../../client/stored.ts'

/** The assignees that a word of an address names. */
export const whoseNamed = (word: unknown): Whose | undefined => WHOSE.find((whose) => whose === word)

/** The assignees whose chats this browser listed last. */
export const storedWhose = stored('staff-chats-whose', 'device', whoseNamed)
