import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { colour, space } from '../../ui/theme.ts'

/** The problem with all rows of a list together, as the form library reports it. */
type Problem = { message?: string | undefined; root?: { message?: string | undefined } | undefined } | undefined

type ListRowsProps = {
  /** Names the problem of all rows. */
  id: string
  rows: readonly { id: string }[]
  /** The text for an empty list. */
  none: string
  /** Styles of a row besides the shared ones. */
  look?: CSSObject
  problem: Problem
  add: string
  onAdd: () => void
  /** The fields of a row. */
  children: (index: number) => ReactNode
}

/** The rows of a settings form, which owners add and remove. */
export const ListRows = ({ id, rows, none, look, problem, add, onAdd, children }: ListRowsProps) => {
  const error = problem?.root?.message ?? problem?.message
  return (
    <>
      {rows.length === 0 && <p css={{ color: colour.soft }}>{none}</p>}
      <ul css={{ display: 'grid', gap: space.roomy }}>
        {rows.map((row, index) => (
          <li
            key={row.id}
            css={[
              {
                display: 'grid',
                gap: space.snug,
                paddingBottom: space.roomy,
                borderBottom: `1px solid ${colour.line}`,
              },
              look,
            ]}
          >
            {children(index)}
          </li>
        ))}
      </ul>
      {error && <FieldError id={id} error={error} />}
      <Button look="quiet" css={{ marginTop: space.base }} onClick={onAdd}>
        {add}
      </Button>
    </>
  )
}
