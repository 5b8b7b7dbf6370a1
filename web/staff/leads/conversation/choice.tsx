import type { ReactNode } from 'react'
import { control } from '../../../ui/form/control.ts'
import { space, type } from '../../../ui/theme.ts'

/** A labelled select that always has a value. */
export const Choice = (props: {
  id: string
  label: string
  value: string
  choices: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
  /** The content before the choice. */
  before?: ReactNode
}) => (
  <div css={{ display: 'grid', gap: '0.375rem', alignContent: 'start' }}>
    <label htmlFor={props.id} css={{ fontSize: type.small, fontWeight: 600 }}>
      {props.label}
    </label>
    <div css={{ display: 'flex', alignItems: 'center', gap: space.tight }}>
      {props.before}
      <select id={props.id} value={props.value} onChange={(event) => props.onChoose(event.target.value)} css={control}>
        {props.choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  </div>
)
