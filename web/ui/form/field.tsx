import type { ComponentProps, ReactNode } from 'react'
import { colour, space, type } from '../theme.ts'
import { control } from './control.ts'

type Frame = {
  id: string
  label: string
  required?: boolean
  hint?: ReactNode
  error?: string | undefined
}

/** A field's error, referenced by its `aria-describedby`. */
export const FieldError = ({ id, error }: { id: string; error: string }) => (
  <p id={`${id}-error`} css={{ marginTop: space.hair, color: colour.bad, fontSize: type.small, fontWeight: 500 }}>
    {error}
  </p>
)

/** A field's hint, referenced by its `aria-describedby`. */
const FieldHint = ({ id, hint }: { id: string; hint: ReactNode }) => (
  <p id={`${id}-hint`} css={{ color: colour.soft, fontSize: type.small }}>
    {hint}
  </p>
)

/** A control with its label, hint and error. */
export const Labelled = ({
  id,
  label,
  required,
  hint,
  error,
  className,
  children,
}: Frame & { className?: string; children: ReactNode }) => (
  <div className={className} css={{ display: 'grid', gap: '0.375rem', alignContent: 'start' }}>
    <label htmlFor={id} css={{ fontSize: type.small, fontWeight: 600 }}>
      {label}
      {required && <span css={{ color: colour.bad }}> *</span>}
    </label>
    {children}
    {hint && <FieldHint id={id} hint={hint} />}
    {error && <FieldError id={id} error={error} />}
  </div>
)

const tied = ({ id, required, hint, error }: Frame) => ({
  id,
  ...(required && { required }),
  ...(error && { 'aria-invalid': true }),
  ...((hint || error) && {
    'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' '),
  }),
})

export const TextField = ({ label, hint, error, required, ...input }: Frame & ComponentProps<'input'>) => {
  const frame = { id: input.id, label, ...(required && { required }), hint, error }
  return (
    <Labelled {...frame}>
      <input css={control} {...input} {...tied(frame)} />
    </Labelled>
  )
}

export const TextAreaField = ({ label, hint, error, required, ...area }: Frame & ComponentProps<'textarea'>) => {
  const frame = { id: area.id, label, ...(required && { required }), hint, error }
  return (
    <Labelled {...frame}>
      <textarea css={[control, { resize: 'vertical' }]} {...area} {...tied(frame)} />
    </Labelled>
  )
}

export const CheckField = ({ label, hint, error, required, ...input }: Frame & ComponentProps<'input'>) => {
  const frame = { id: input.id, label, ...(required && { required }), hint, error }
  return (
    <div>
      <div css={{ display: 'grid', gridTemplateColumns: 'auto 1fr', gap: space.snug, alignItems: 'start' }}>
        <input
          type="checkbox"
          css={{ width: '1.375rem', height: '1.375rem', margin: '0.125rem 0 0', accentColor: colour.accent }}
          {...input}
          {...tied(frame)}
        />
        <label htmlFor={input.id}>
          {label}
          {required && <span css={{ color: colour.bad }}>{'\u00a0'}*</span>}
        </label>
      </div>
      {hint && <FieldHint id={input.id} hint={hint} />}
      {error && <FieldError id={input.id} error={error} />}
    </div>
  )
}

type Choice = { value: string; label: string }

/** A labelled choice from a list, with nothing chosen at first. */
export const SelectField = ({
  label,
  hint,
  error,
  required,
  choices,
  ...select
}: Frame & { choices: readonly Choice[] } & ComponentProps<'select'>) => {
  const frame = { id: select.id, label, ...(required && { required }), hint, error }
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
