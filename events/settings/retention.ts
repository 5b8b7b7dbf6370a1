import * as v from 'valibot'
import { definePart } from './part.ts'

const whole = (min: number, max: number) =>
  v.pipe(
    v.number('Enter a whole number'),
    v.integer('Enter a whole number'),
    v.minValue(min, `Enter at least ${min}`),
    v.maxValue(max, `Enter at most ${max}`),
  )

/** The records of a sale are stored for five years (Tax Administration Act 28 of 2011, section 29). */
export const LEAST_CONTRACT_YEARS = 5

/**
 * How long personal data is stored: leads without a contract after the last contact, chats after their last message,
 * spam after it came, contracts after their end, exports after they were made, requests about privacy after they were
 * done.
 */
export const retentionForm = v.strictObject({
  leadMonths: whole(1, 120),
  chatMonths: whole(1, 120),
  spamDays: whole(7, 365),
  contractYears: whole(LEAST_CONTRACT_YEARS, 30),
  exportDays: whole(1, 30),
  requestMonths: whole(12, 120),
})

/** The periods after which data is erased. */
export type Retention = v.InferOutput<typeof retentionForm>

export const DEFAULT_RETENTION: Retention = {
  leadMonths: 24,
  chatMonths: 24,
  spamDays: 90,
  contractYears: LEAST_CONTRACT_YEARS,
  exportDays: 7,
  requestMonths: 36,
}

export const retentionPart = definePart({
  name: 'retention',
  summary: 'Sets how long personal data is stored',
  type: 'RetentionChanged',
  form: retentionForm,
  apply: (periods): Retention => periods,
  initial: DEFAULT_RETENTION,
  isConfirmed: true,
})

export const retentionWire = v.object(
  v.entriesFromList(Object.keys(retentionForm.entries) as (keyof Retention)[], v.number()),
)

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** A period in words: 24 months. */
export const periodInWords = (periods: Retention, name: keyof Retention): string => {
  const unit = /Months$/.test(name) ? 'month' : /Years$/.test(name) ? 'year' : 'day'
  return counted(periods[name], unit)
}
