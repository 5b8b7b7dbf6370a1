import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { ProjectValueField } from './project-value.tsx'

const changes: (number | null)[] = []

const Field = () => {
  const [value, setValue] = useState<number | null>(10_001)
  const change = (rand: number | null) => {
    changes.push(rand)
    setValue(rand)
  }
  return <ProjectValueField value={value} onChange={change} />
}

test('A project’s value can be typed freely, and is formatted once it is sent or the field is left', async () => {
  const user = userEvent.setup()
  render(<Field />)
  const field = screen.getByLabelText<HTMLInputElement>('Project value (R)')
  expect(field.value).toBe('10,001')
  await user.clear(field)
  await user.type(field, 'R12 500,50{Enter}')
  expect(field.value).toBe('12,500.50')
  expect(changes.at(-1)).toBe(12_500.5)
  await user.clear(field)
  await user.type(field, 'R10 001')
  await user.tab()
  expect(field.value).toBe('10,001')
  expect(changes.at(-1)).toBe(10_001)
})
