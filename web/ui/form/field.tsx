import type { ComponentProps, ReactNode } from 'react'
import { colour, space, type } from '../theme.ts'
import { control } from './control.ts'

type Frame = { id: string; label: string; required?: boolean; error?: string | undefined }

const Labelled = ({ id, label, required, error, children }: Frame & { children: ReactNode }) => (
  <div css={{ display: 'grid', gap: '0.375rem', alignContent: 'start' }}>
    <label htmlFor={id} css={{ fontSize: type.small, fontWeight: 600 }}>
      {label}
      {required && <span css={{ color: colour.bad }}> *</span>}
    </label>
    {children}
    {error && (
      <p id={`${id}-error`} css={{ marginTop: space.hair, color: colour.bad, fontSize: type.small, fontWeight: 500 }}>
        {error}
      </p>
    )}
  </div>
)

const tied = ({ id, required, error }: Frame) => ({
  id,
  ...(required && { required }),
  ...(error && { 'aria-invalid': true, 'aria-describedby': `${id}-error` }),
})

/** A labelled line of text with its error tied to it. */
export const TextField = ({ label, error, required, ...input }: Frame & ComponentProps<'input'>) => {
  const frame = { id: input.id, label, ...(required && { required }), error }
  return (
    <Labelled {...frame}>
      <input css={control} {...input} {...tied(frame)} />
    </Labelled>
  )
}

/** A labelled text area with its error tied to it. */
export const TextAreaField = ({ label, error, ...area }: Frame & ComponentProps<'textarea'>) => {
  const frame = { id: area.id, label, error }
  return (
    <Labelled {...frame}>
      <textarea css={[control, { resize: 'vertical' }]} {...area} {...tied(frame)} />
    </Labelled>
  )
}

type Choice = { value: string; label: string }

/** A labelled choice from a list, with nothing chosen at first. */
export const SelectField = ({
  label,
  error,
  choices,
  ...select
}: Frame & { choices: readonly Choice[] } & ComponentProps<'select'>) => {
  const frame = { id: select.id, label, error }
  return (
    <Labelled {...frame}>
      <select css={control} {...select} {...tied(frame)}>
        <option value="">Please choose</option>
        {choices.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}
