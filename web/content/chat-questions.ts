/** What visitors ask most, in their own words: one touch in the chat asks it. */
export const CHAT_QUESTIONS = [
  'What does it cost?',
  'Do I get a domain?',
  'How long does it take?',
  'Redo my old site?',
] as const
