import type { ComponentProps } from 'react'
import { control } from '../../ui/form/control.ts'
import type { Choices } from './picker.tsx'

/** Words with their names, as choices. */
export const choicesOf = <Word extends string>(words: readonly Word[], names: Record<Word, string>): Choices =>
  words.map((word) => [word, names[word]])

type SelectProps = Omit<ComponentProps<'select'>, 'onChange'> & {
  choices: Choices
  /** The name of the empty choice, if there is one. */
  none?: string
  onChoose: (value: string) => void
}

/** A select without a visible label. */
export const Select = ({ choices, none, onChoose, ...select }: SelectProps) => (
  <select css={control} {...select} onChange={({ target }) => onChoose(target.value)}>
    {none !== undefined && <option value="">{none}</option>}
    {choices.map(([value, name]) => (
      <option key={value} value={value}>
        {name}
      </option>
    ))}
  </select>
)
