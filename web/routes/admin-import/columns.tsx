import { IMPORT_FIELDS, type ImportField } from '../../../events/lead/import/import.ts'
import type { ImportPreview } from '../../../events/lead/import/import-wire.ts'
import { Select } from '../../staff/forms/select.tsx'
import { Labelled } from '../../ui/form/field.tsx'
import { colour, from, panel, space, type } from '../../ui/theme.ts'

const FIELD_NAMES: Record<ImportField, string> = {
  name: 'Name',
  lastName: 'Last name',
  email: 'Email',
  countryCode: 'Country code',
  phone: 'Phone',
  otherPhone: 'Second phone',
  company: 'Company',
  package: 'Package',
  message: 'Message',
  status: 'Status',
  date: 'Date received',
}

/** Maps the columns of the file to fields. A column is shown with the value in its first row. */
export const ColumnChoices = (props: {
  preview: ImportPreview
  mapping: Partial<Record<ImportField, number>>
  onChoose: (field: ImportField, column: number | undefined) => void
}) => {
  const { columns, rows } = props.preview
  const labelOf = (index: number) => {
    const example = rows[0]?.[index]
    return `${columns[index] || `Column ${index + 1}`}${example ? ` (${example})` : ''}`
  }
  return (
    <div
      css={{
        display: 'grid',
        gap: space.base,
        [from.medium]: { gridTemplateColumns: '1fr 1fr' },
        [from.large]: { gridTemplateColumns: 'repeat(4, 1fr)' },
      }}
    >
      {IMPORT_FIELDS.map((field) => (
        <Labelled key={field} id={`column-${field}`} label={FIELD_NAMES[field]} css={{ minWidth: 0 }}>
          <Select
            id={`column-${field}`}
            none="Not in this file"
            value={props.mapping[field] ?? ''}
            choices={columns.map((_, index) => [String(index), labelOf(index)])}
            onChoose={(value) => props.onChoose(field, value === '' ? undefined : Number(value))}
          />
        </Labelled>
      ))}
    </div>
  )
}

const cell = { padding: `${space.tight} ${space.snug}`, textAlign: 'left' } as const

/** The first rows of the file, unchanged, each with its number. */
export const FirstRows = ({ preview }: { preview: ImportPreview }) => (
  <section
    aria-label="First rows of the file"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    tabIndex={0}
    css={{ overflowX: 'auto', ...panel }}
  >
    <table css={{ width: '100%', borderCollapse: 'collapse', fontSize: type.small }}>
      <thead>
        <tr>
          <th scope="col" css={{ ...cell, background: colour.sunk }}>
            Row
          </th>
          {preview.columns.map((column, index) => (
            <th
              // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are, and may have one name
              key={`${index} ${column}`}
              scope="col"
              css={{ ...cell, whiteSpace: 'nowrap', background: colour.sunk }}
            >
              {column || `Column ${index + 1}`}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {preview.rows.map((row, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows stay where they are
          <tr key={line} css={{ borderTop: `1px solid ${colour.line}` }}>
            <th scope="row" css={{ ...cell, fontWeight: 400, color: colour.soft }}>
              {preview.rowNumbers[line]}
            </th>
            {preview.columns.map((column, index) => (
              <td
                // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are, and may have one name
                key={`${index} ${column}`}
                css={cell}
              >
                <div css={{ maxWidth: '16rem', whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' }}>
                  {row[index]}
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
