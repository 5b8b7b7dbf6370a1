import { fireEvent } from '@testing-library/react'

/** Gives a field a value at once, as a person does who pastes or chooses it; for what single keys do there is `user`. */
export const fill = (field: HTMLElement, value: string): void => {
  fireEvent.input(field, { target: { value } })
}

/** The value of a field. */
export const valueIn = (field: HTMLElement): string => (field as HTMLInputElement).value

/** Whether a box is ticked. */
export const isChecked = (box: HTMLElement): boolean => (box as HTMLInputElement).checked

/** What stands in elements, in order. */
export const textsOf = (elements: readonly Element[]): (string | null)[] =>
  elements.map(({ textContent }) => textContent)
