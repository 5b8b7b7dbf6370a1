/** The most frequent questions of visitors; one touch in the chat asks one. */
export const CHAT_QUESTIONS = [
  'What does it cost?',
  'Do I get a domain?',
  'How long does it take?',
  'Redo my old site?',
] as const
