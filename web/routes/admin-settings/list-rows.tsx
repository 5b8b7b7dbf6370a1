import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { colour, space } from '../../ui/theme.ts'

/** The problem with all rows of a list together, as the form library reports it. */
type Problem = { message?: string | undefined; root?: { message?: string | undefined } | undefined } | undefined

export type ListRowsProps = {
  /** Names the problem of all rows. */
  id: string
  rows: readonly { id: string }[]
  /** The text for an empty list. */
  none?: string
  /** Whether rows are apart, with a line below each. */
  isLined?: boolean
  /** Styles of a row besides the shared ones. */
  look?: CSSObject
  problem: Problem
  add: string
  onAdd: () => void
  children: (index: number) => ReactNode
}

const lined = { paddingBottom: space.roomy, borderBottom: `1px solid ${colour.line}` }

/** The rows of a settings form, which owners add and remove. */
export const ListRows = ({ id, rows, none, isLined, look, problem, add, onAdd, children }: ListRowsProps) => {
  const error = problem?.root?.message ?? problem?.message
  return (
    <>
      {none && rows.length === 0 && <p css={{ color: colour.soft }}>{none}</p>}
      <ul css={{ display: 'grid', gap: isLined ? space.roomy : space.base }}>
        {rows.map((row, index) => (
          <li key={row.id} css={[{ display: 'grid', gap: space.snug }, isLined && lined, look]}>
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

/** How far the fields of a row are below their labels' tops, for a button of less height. */
export const LEVEL_WITH_FIELDS = '1.9375rem'

export const RemoveRow = ({ label, ...button }: { label: string; onClick: () => void; className?: string }) => (
  <Button look="quiet" aria-label={label} css={{ justifySelf: 'start' }} {...button}>
    Remove
  </Button>
)
