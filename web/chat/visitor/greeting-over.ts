import { stored } from '../../client/stored.ts'

/** Whether the visitor has closed or followed a message beside the chat button in this visit: they see none again. */
export const greetingOver = stored('chat-greeting', 'tab', Boolean)
