import type { CSSObject } from '@emotion/react'
import { type ReactNode, useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { colour, space, type } from '../../ui/theme.ts'

/** Rows of fields under a heading, with a button to add one and one on each to remove it. */
export const HoursRows = ({
  title,
  hint,
  rows,
  columns,
  error,
  add,
  onAdd,
  children,
}: {
  title: string
  hint: string
  rows: readonly { id: string }[]
  /** The layout of a row's fields and its button. */
  columns: CSSObject
  error: string | undefined
  add: string
  onAdd: () => void
  children: (index: number) => ReactNode
}) => {
  const id = useId()
  return (
    <fieldset css={{ marginTop: space.roomy }}>
      <legend css={{ padding: 0, fontSize: type.small, fontWeight: 600 }}>{title}</legend>
      <p css={{ color: colour.soft, fontSize: type.small }}>{hint}</p>
      <ul
        css={{
          display: 'grid',
          gap: space.base,
          marginTop: rows.length > 0 ? space.snug : 0,
          listStyle: 'none',
          padding: 0,
        }}
      >
        {rows.map((row, index) => (
          <li key={row.id} css={[{ display: 'grid', gap: space.snug, alignItems: 'start' }, columns]}>
            {children(index)}
          </li>
        ))}
      </ul>
      {error && <FieldError id={id} error={error} />}
      <Button look="quiet" css={{ marginTop: space.snug }} onClick={onAdd}>
        {add}
      </Button>
    </fieldset>
  )
}

/** How far the fields of a row are below their labels' tops, for a button of less height. */
export const LEVEL_WITH_FIELDS = '1.9375rem'

/** Removes a row; it is aligned with the row's fields. */
export const RemoveRow = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button
    look="quiet"
    aria-label={label}
    onClick={onClick}
    css={{ justifySelf: 'start', marginTop: LEVEL_WITH_FIELDS }}
  >
    Remove
  </Button>
)
