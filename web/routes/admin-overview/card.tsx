import { type ReactNode, useId } from 'react'
import { colour, panel, shadow, space, type } from '../../ui/theme.ts'

/** A chart's numbers for readers who do not see it, or need exact ones. The first column names the row. */
export type Numbers = { columns: string[]; rows: string[][] }

const Table = ({ caption, columns, rows }: Numbers & { caption: string }) => (
  <section
    aria-label={caption}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within the keyboard's reach
    tabIndex={0}
    css={{ maxHeight: '20rem', marginTop: space.snug, overflow: 'auto' }}
  >
    <table
      css={{
        width: '100%',
        borderCollapse: 'collapse',
        fontSize: type.small,
        fontVariantNumeric: 'tabular-nums',
        'th, td': { padding: `0.375rem ${space.tight}`, borderBottom: `1px solid ${colour.line}`, textAlign: 'right' },
        'th:first-of-type': { paddingLeft: 0, textAlign: 'left' },
        'tbody th': { fontWeight: 400 },
        'thead th': { position: 'sticky', top: 0, background: colour.sheet, fontWeight: 600, verticalAlign: 'bottom' },
      }}
    >
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name = '', ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** One finding: its title, the sentence that states it, its chart, and the same numbers as a table. */
export const Card = ({
  topic,
  finding,
  detail,
  numbers,
  children,
}: {
  topic: string
  finding: string
  detail?: string
  numbers: Numbers
  children: ReactNode
}) => {
  const id = useId()
  return (
    <section
      // two findings may be the same: that none has been won yet
      aria-labelledby={`${id}-topic ${id}`}
      css={{
        display: 'flex',
        flexDirection: 'column',
        minWidth: 0,
        padding: space.roomy,
        ...panel,
        boxShadow: shadow.card,
      }}
    >
      <p id={`${id}-topic`} css={{ color: colour.soft, fontSize: type.small }}>
        {topic}
      </p>
      <h2 id={id} css={{ marginTop: space.hair, fontSize: type.step, lineHeight: 1.3 }}>
        {finding}
      </h2>
      {detail && <p css={{ marginTop: space.hair, color: colour.soft, fontSize: type.small }}>{detail}</p>}
      {/* The table has all data of the drawing. */}
      <div aria-hidden="true" css={{ flex: 1, margin: `${space.base} 0` }}>
        {children}
      </div>
      <details>
        <summary css={{ cursor: 'pointer', fontSize: type.small, fontWeight: 500 }}>Show as table</summary>
        <Table caption={`${topic}: the numbers`} {...numbers} />
      </details>
    </section>
  )
}
