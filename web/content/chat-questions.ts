/** What visitors ask most, in their own words: one touch in the chat asks it. */
export const CHAT_QUESTIONS = [
  'What does it cost?',
  'Do I get a domain?',
  'How soon can I be live?',
  'Can you redo my site?',
] as const
