import { stored } from '../../client/stored.ts'

/** Whether the visitor has closed or followed a greeting during this visit: they see none again. */
export const greetingOver = stored('chat-greeting', 'tab', Boolean)
