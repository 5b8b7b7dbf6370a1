import { type ReactNode, useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { colour, from, space, type } from '../../ui/theme.ts'

/** Rows of fields under a heading, with a button to add one and one on each to remove it. */
export const HoursRows = ({
  title,
  hint,
  rows,
  error,
  add,
  onAdd,
  children,
}: {
  title: string
  hint: string
  rows: readonly { id: string }[]
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
          <li
            key={row.id}
            css={{
              display: 'grid',
              gridTemplateColumns: 'repeat(auto-fill, minmax(10.5rem, 1fr))',
              gap: space.snug,
              alignItems: 'start',
              [from.medium]: { gridTemplateColumns: 'repeat(3, minmax(0, 1fr)) auto' },
            }}
          >
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

/** Removes a row; it stands level with the fields of it. */
export const RemoveRow = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button look="quiet" aria-label={label} onClick={onClick} css={{ justifySelf: 'start', marginTop: '1.9375rem' }}>
    Remove
  </Button>
)
