import { type ComponentProps, lazy, Suspense } from 'react'
import { control } from '../../ui/form/control.ts'
import { Labelled } from '../../ui/form/field.tsx'
import { dayInShort } from '../day.ts'
import type { DayPicker as Picker } from './day-picker.tsx'

// The calendar's library is large, and a screen does not wait for it.
const DayPicker = lazy(async () => ({ default: (await import('./day-picker.tsx')).DayPicker }))

type DayFieldProps = ComponentProps<typeof Picker> & { label: string; error?: string | undefined; className?: string }

/** A day to pick in the calendar or to type. */
export const DayField = ({ label, error, className, ...picker }: DayFieldProps) => {
  const { id, day, placeholder = '' } = picker
  return (
    <Labelled id={id} label={label} error={error} {...(className && { className })}>
      <Suspense fallback={<input id={id} css={control} readOnly value={day ? dayInShort(day) : placeholder} />}>
        <DayPicker {...picker} />
      </Suspense>
    </Labelled>
  )
}
