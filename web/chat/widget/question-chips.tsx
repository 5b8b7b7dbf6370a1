import { colour, radius, space, type } from '../../ui/theme.ts'

/** The most frequent questions of visitors; one touch in the chat asks one. */
const CHAT_QUESTIONS = [
  'What does it cost?',
  'Do I get a domain?',
  'How long does it take?',
  'Redo my old site?',
] as const

export const QuestionChips = ({ onChoose }: { onChoose: (question: string) => void }) => (
  <ul aria-label="Often asked" css={{ display: 'flex', flexWrap: 'wrap', flex: 'none', gap: space.tight }}>
    {CHAT_QUESTIONS.map((question) => (
      <li key={question}>
        <button
          type="button"
          onClick={() => onChoose(question)}
          css={{
            minHeight: '2.25rem',
            padding: `0.3125rem ${space.snug}`,
            border: `1px solid ${colour.accent}`,
            borderRadius: radius.round,
            background: colour.sheet,
            color: colour.accent,
            fontSize: type.small,
            fontWeight: 500,
            lineHeight: 1.35,
            textAlign: 'left',
            ':hover': { background: colour.accentWash, color: colour.accentDeep },
            ':focus-visible': { borderRadius: radius.round },
          }}
        >
          {question}
        </button>
      </li>
    ))}
  </ul>
)
