import type { ReactNode } from 'react'
import { CUSTOM, DESIGN_STYLES, PALETTES, paletteAnswer } from '../../content/questionnaire.ts'
import { FieldError } from '../../ui/form/field.tsx'
import { colour, from, radius, space, type, unseen } from '../../ui/theme.ts'
import type { useWebsiteInfoForm } from './use-website-info-form.ts'

type Registered = ReturnType<ReturnType<typeof useWebsiteInfoForm>['field']>

const card = {
  position: 'relative',
  display: 'grid',
  alignContent: 'start',
  gap: space.tight,
  padding: space.snug,
  border: `1px solid ${colour.edge}`,
  borderRadius: radius.control,
  background: colour.sheet,
  cursor: 'pointer',
  lineHeight: 1.3,
  ':hover': { borderColor: colour.ink },
  ':has(:checked)': {
    borderColor: colour.accent,
    boxShadow: `inset 0 0 0 1px ${colour.accent}`,
    background: colour.accentWash,
  },
  ':has(:focus-visible)': { outline: `3px solid ${colour.accent}`, outlineOffset: 2 },
} as const

const Cards = (props: {
  field: Registered
  label: string
  columns: [few: string, many: string]
  options: readonly { value: string; content: ReactNode }[]
}) => {
  const { id, error, ...input } = props.field
  return (
    <fieldset css={{ gridColumn: '1 / -1' }} aria-describedby={error && `${id}-error`}>
      <legend css={{ marginBottom: space.tight, padding: 0, fontSize: type.small, fontWeight: 600 }}>
        {props.label}
        <span css={{ color: colour.bad }}> *</span>
      </legend>
      {/* at the top: the cards are longer than the window of a phone */}
      {error && (
        <div css={{ marginBottom: space.tight }}>
          <FieldError id={id} error={error} />
        </div>
      )}
      <div
        css={{
          display: 'grid',
          gap: space.tight,
          gridTemplateColumns: props.columns[0],
          [from.medium]: { gridTemplateColumns: props.columns[1] },
        }}
      >
        {props.options.map(({ value, content }) => (
          <label key={value} css={[card, error && { borderColor: colour.bad }]}>
            <input {...input} type="radio" value={value} required css={{ ...unseen, top: 0, left: 0 }} />
            {content}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export const StyleCards = ({ field, label }: { field: Registered; label: string }) => (
  <Cards
    field={field}
    label={label}
    columns={['1fr', 'repeat(3, 1fr)']}
    options={[...DESIGN_STYLES, { name: CUSTOM, text: 'None of these: describe your own.' }].map(({ name, text }) => ({
      value: name,
      content: (
        <>
          <b css={{ fontWeight: 600 }}>{name === CUSTOM ? 'Custom' : name}</b>
          <span css={{ color: colour.soft, fontSize: type.small }}>{text}</span>
        </>
      ),
    }))}
  />
)

const Swatch = ({ colours }: { colours: readonly string[] }) => (
  <span
    css={{
      display: 'flex',
      height: '2.25rem',
      overflow: 'hidden',
      border: `1px solid ${colour.line}`,
      borderRadius: 3,
    }}
  >
    {colours.map((tone) => (
      <span key={tone} css={{ flex: 1 }} style={{ background: tone }} />
    ))}
  </span>
)

const OwnColours = () => (
  <span
    css={{
      display: 'grid',
      placeItems: 'center',
      height: '2.25rem',
      border: `1px dashed ${colour.edge}`,
      borderRadius: 3,
      color: colour.soft,
      fontSize: type.small,
    }}
  >
    Your own
  </span>
)

/** The palettes, each with its colours, which the sent value names too. */
export const PaletteCards = ({ field, label }: { field: Registered; label: string }) => (
  <Cards
    field={field}
    label={label}
    columns={['1fr 1fr', 'repeat(4, 1fr)']}
    options={[
      ...PALETTES.map(({ name, colours }) => ({
        value: paletteAnswer({ name, colours }),
        content: (
          <>
            <Swatch colours={colours} />
            <span css={{ fontSize: type.small, fontWeight: 500 }}>{name}</span>
          </>
        ),
      })),
      {
        value: CUSTOM,
        content: (
          <>
            <OwnColours />
            <span css={{ fontSize: type.small, fontWeight: 500 }}>Custom</span>
          </>
        ),
      },
    ]}
  />
)
