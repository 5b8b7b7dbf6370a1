import { CUSTOM, type Question } from '../../content/questionnaire.ts'
import { SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'
import { PaletteCards, StyleCards } from './choice-cards.tsx'
import type { useWebsiteInfoForm } from './use-website-info-form.ts'

type FieldOf = ReturnType<typeof useWebsiteInfoForm>['field']

const wide = { gridColumn: '1 / -1' }

const Control = ({ question, field }: { question: Question; field: FieldOf }) => {
  const { name, label, hint, required = false } = question
  const frame = { label, hint, required, ...field(name) }
  switch (question.kind) {
    case 'line':
      return <TextField {...frame} type={question.type ?? 'text'} autoComplete={question.autoComplete} />
    case 'text':
      return (
        <div css={wide}>
          <TextAreaField {...frame} rows={4} />
        </div>
      )
    case 'select':
      return <SelectField {...frame} choices={question.choices} />
    case 'styles':
      return <StyleCards label={label} field={field(name)} />
    case 'palettes':
      return <PaletteCards label={label} field={field(name)} />
    default:
      return question satisfies never
  }
}

/**
 * A question, and the text field that its choice of `custom` reveals. The style sheet does that, so it works without
 * script.
 */
export const QuestionField = ({ question, field }: { question: Question; field: FieldOf }) => {
  const { custom } = question
  if (!custom) return <Control question={question} field={field} />
  const isWide = question.kind === 'styles' || question.kind === 'palettes'
  return (
    <div
      css={{
        ...(isWide && wide),
        [`&:not(:has([value="${CUSTOM}"]:checked)) > :last-child`]: { display: 'none' },
      }}
    >
      <Control question={question} field={field} />
      <div css={{ marginTop: space.base }}>
        <TextField label={custom.label} {...field(custom.name)} />
      </div>
    </div>
  )
}
