import { QUESTIONNAIRE } from '../../content/questionnaire.ts'
import { CheckIcon } from '../../ui/icons.tsx'
import { colour, from, space, type, unseen } from '../../ui/theme.ts'

type Section = (typeof QUESTIONNAIRE)[number]

const required = QUESTIONNAIRE.flatMap(({ questions }) => questions.filter((question) => question.required))

const Step = ({ section, answered }: { section: Section; answered: ReadonlySet<string> }) => {
  const { questions } = section
  const count = questions.filter(({ name }) => answered.has(name)).length
  const isDone = count > 0 && questions.every((question) => !question.required || answered.has(question.name))
  return (
    <li>
      <a
        href={`#${section.id}`}
        css={{
          display: 'block',
          color: 'inherit',
          textDecoration: 'none',
          [from.large]: { ':hover': { textDecoration: 'underline' } },
        }}
      >
        <span
          css={{
            ...unseen,
            [from.large]: {
              position: 'static',
              display: 'flex',
              justifyContent: 'space-between',
              gap: space.tight,
              width: 'auto',
              height: 'auto',
              margin: `0 0 ${space.hair}`,
              clipPath: 'none',
              whiteSpace: 'normal',
              fontSize: type.small,
              fontWeight: 500,
            },
          }}
        >
          {section.title}
          <span css={{ display: 'inline-flex', color: colour.soft, whiteSpace: 'nowrap' }}>
            {isDone && (
              <span css={{ marginRight: space.hair, color: colour.accent }}>
                <CheckIcon />
              </span>
            )}
            {count} of {questions.length}
          </span>
        </span>
        <span css={{ display: 'block', height: 6, overflow: 'hidden', borderRadius: 3, background: colour.line }}>
          <span
            css={{ display: 'block', height: '100%', background: colour.accent }}
            style={{ width: `${(100 * count) / questions.length}%` }}
          />
        </span>
      </a>
    </li>
  )
}

/** The progress of each section: a strip under the bar on small screens, a column next to the form on larger ones. */
export const Progress = ({ answered, onDiscard }: { answered: ReadonlySet<string>; onDiscard: () => void }) => {
  const answeredCount = required.filter(({ name }) => answered.has(name)).length
  return (
    <nav
      id="progress"
      aria-label="Progress by section"
      css={{
        position: 'sticky',
        top: '4.25rem',
        zIndex: 30,
        margin: '0 calc(-1 * var(--gutter))',
        padding: `${space.tight} var(--gutter) ${space.snug}`,
        background: colour.paper,
        borderBottom: `1px solid ${colour.line}`,
        [from.large]: { top: '6rem', margin: 0, padding: 0, border: 0, background: 'none' },
      }}
    >
      <div
        css={{
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'space-between',
          flexWrap: 'wrap',
          gap: `0 ${space.base}`,
          minHeight: '2rem',
          marginBottom: space.hair,
          fontSize: type.small,
          [from.large]: { marginBottom: space.base },
        }}
      >
        <b css={{ fontWeight: 600 }}>
          {answeredCount} of {required.length} required answers
        </b>
        {answered.size > 0 && (
          <button
            type="button"
            onClick={onDiscard}
            css={{
              padding: `${space.hair} 0`,
              border: 0,
              background: 'none',
              color: colour.bad,
              textDecoration: 'underline',
            }}
          >
            Discard draft
          </button>
        )}
      </div>
      <ol
        css={{
          display: 'grid',
          gridTemplateColumns: 'repeat(6, 1fr)',
          gap: space.hair,
          [from.large]: { gridTemplateColumns: '1fr', gap: space.base },
        }}
      >
        {QUESTIONNAIRE.map((section) => (
          <Step key={section.id} section={section} answered={answered} />
        ))}
      </ol>
    </nav>
  )
}
