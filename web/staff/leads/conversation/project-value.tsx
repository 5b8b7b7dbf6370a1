import { useEffect, useRef, useState } from 'react'
import { readRand, writeRand } from '../../../../events/base/amount.ts'
import { MAX_PROJECT_VALUE_RAND } from '../../../../events/lead/follow-up/follow-up.ts'
import { TextField } from '../../../ui/form/field.tsx'

/** The problem with an amount as typed; empty if there is none. */
const faultOf = (typed: string) => {
  if (typed.trim() === '') return ''
  const rand = readRand(typed)
  if (rand === undefined) return 'Enter an amount, e.g. 12,500.50'
  return rand > MAX_PROJECT_VALUE_RAND ? `Must be at most ${writeRand(MAX_PROJECT_VALUE_RAND)}` : ''
}

/** The value of a project in rand, won or quoted. While the typed text is not an amount, its form cannot be sent. */
export const ProjectValueField = ({
  label = 'Project value (R)',
  value,
  onChange,
}: {
  label?: string
  value: number | null
  onChange: (rand: number | null) => void
}) => {
  const [typed, setTyped] = useState('')
  const [isLeft, setLeft] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const isOfValue = faultOf(typed) !== '' || (readRand(typed) ?? null) === value
  const written = value === null ? '' : writeRand(value)
  const shown = isOfValue ? typed : written
  const fault = faultOf(shown)
  useEffect(() => input.current?.setCustomValidity(fault), [fault])
  /** Formats a valid amount as the product writes it, once it is sent or the field is left. */
  const settle = () => fault === '' && setTyped(written)
  return (
    <TextField
      ref={input}
      id="project-value"
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      error={isLeft && fault ? fault : undefined}
      onBlur={() => {
        setLeft(true)
        settle()
      }}
      onKeyDown={({ key }) => key === 'Enter' && settle()}
      onInvalid={() => setLeft(true)}
      onChange={({ target }) => {
        setTyped(target.value)
        if (faultOf(target.value) === '') onChange(readRand(target.value) ?? null)
      }}
    />
  )
}
