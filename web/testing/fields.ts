import { fireEvent } from '@testing-library/react'

/** Sets a field's value at once, like pasting or choosing it; for single keys there is `user`. */
export const fill = (field: HTMLElement, value: string): void => {
  fireEvent.input(field, { target: { value } })
}

/** The value of a field. */
export const valueIn = (field: HTMLElement): string => (field as HTMLInputElement).value

/** Whether a box is ticked. */
export const isChecked = (box: HTMLElement): boolean => (box as HTMLInputElement).checked

/** The texts of elements, in order. */
export const textsOf = (elements: readonly Element[]): (string | null)[] =>
  elements.map(({ textContent }) => textContent)
