import type { ComponentProps } from 'react'
import { space, type } from '../theme.ts'
import { CheckField, FieldError } from './field.tsx'

type CheckGroupProps = {
  id: string
  label: string
  boxes: readonly Pick<ComponentProps<typeof CheckField>, 'id' | 'label' | 'value'>[]
  error: string | undefined
} & Omit<ComponentProps<'input'>, 'id' | 'value'>

/** Checkboxes of which any may be ticked, with the error below them. */
export const CheckGroup = ({ id, label, boxes, error, ...input }: CheckGroupProps) => (
  <fieldset
    {...(error && { 'aria-describedby': `${id}-error` })}
    css={{ display: 'grid', gap: space.tight, margin: 0, padding: 0, border: 0 }}
  >
    <legend css={{ padding: 0, marginBottom: space.hair, fontSize: type.small, fontWeight: 600 }}>{label}</legend>
    {boxes.map((box) => (
      <CheckField key={box.id} {...box} {...input} />
    ))}
    {error && <FieldError id={id} error={error} />}
  </fieldset>
)
