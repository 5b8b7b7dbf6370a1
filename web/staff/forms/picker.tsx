import { lazy, Suspense } from 'react'

export type Choices = readonly (readonly [value: string, name: string])[]

export type PickerProps = {
  label: string
  groups: readonly { heading?: string; choices: Choices }[]
  chosen?: string | undefined
  onChoose: (value: string) => void
}

const PickerList = lazy(async () => ({ default: (await import('./picker-list.tsx')).PickerList }))

/** Choices with a search field: a few letters and Enter choose one. */
export const Picker = (props: PickerProps) => (
  <div css={{ minHeight: '8rem' }}>
    <Suspense>
      <PickerList {...props} />
    </Suspense>
  </div>
)
