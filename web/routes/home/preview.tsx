import { type CSSObject, Global } from '@emotion/react'
import type { CSSProperties } from 'react'
import { MAX_LINE_CHARACTERS } from '../../../events/lead/form/form.ts'
import { domainOf, UNNAMED } from '../../content/idea.ts'
import { PREVIEW_PALETTES, TRADES } from '../../content/preview.ts'
import { control } from '../../ui/form/control.ts'
import { colour, display, from, radius, shadow, space, type, unseen } from '../../ui/theme.ts'
import { PreviewScene } from './preview-scenes.tsx'

// The choice shows by the state of the radio buttons alone: it works before any script has loaded, and without any.
const isChosen = (name: string) => `:has([value="${name}"]:checked)`

const showsColours = Object.fromEntries(
  PREVIEW_PALETTES.map(({ name, colours: [a, b, c] }) => [`&${isChosen(name)}`, { '--a': a, '--b': b, '--c': c }]),
)

// The search result among the services follows the trade too.
const showsTrade = Object.fromEntries(
  TRADES.map(({ id, name }) => [`body${isChosen(name)} [class*=for-]:not(.for-${id})`, { display: 'none' }]),
)

const legend = {
  float: 'left',
  width: '3.75rem',
  padding: 0,
  color: colour.soft,
  fontSize: type.small,
  lineHeight: '2.25rem',
} as const

const chip: CSSObject = {
  display: 'inline-flex',
  alignItems: 'center',
  minHeight: '2.25rem',
  border: `1px solid ${colour.edge}`,
  borderRadius: radius.round,
  background: colour.sheet,
  fontSize: type.small,
  fontWeight: 600,
  cursor: 'pointer',
}

/** A chip, and its style while it is chosen. */
const chipAs = (styles: CSSObject, chosen: CSSObject): CSSObject => ({
  ...chip,
  ...styles,
  // If the system chooses the colours, an outline that is otherwise transparent shows the choice.
  '&:has(:checked)': { outline: '2px solid transparent', ...chosen },
  '&:has(:focus-visible)': { outline: `3px solid ${colour.accent}`, outlineOffset: 2 },
})

const row = { display: 'flex', flexWrap: 'wrap', gap: space.hair, position: 'relative' } as const

const Controls = () => (
  <div css={{ display: 'grid', gap: space.tight }}>
    <label css={{ display: 'flex', alignItems: 'center' }}>
      <span css={{ flex: 'none', width: '3.75rem', color: colour.soft, fontSize: type.small }}>Name</span>
      <input
        name="previewName"
        maxLength={MAX_LINE_CHARACTERS}
        placeholder="Your business name"
        autoComplete="organization"
        css={control}
      />
    </label>
    <fieldset>
      <legend css={legend}>Trade</legend>
      {/* three in a row */}
      <div css={{ ...row, maxWidth: '19rem' }}>
        {TRADES.map(({ name }, index) => (
          <label
            key={name}
            css={chipAs(
              { padding: '0 0.4375rem', ':hover': { borderColor: colour.ink } },
              { background: colour.ink, borderColor: colour.ink, color: colour.onInk },
            )}
          >
            <input type="radio" name="previewTrade" value={name} defaultChecked={index === 0} css={unseen} />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
    <fieldset>
      <legend css={legend}>Colours</legend>
      <div css={row}>
        {PREVIEW_PALETTES.map(({ name, colours: [a, b] }, index) => (
          <label
            key={name}
            style={{ '--a': a, '--b': b } as CSSProperties}
            css={chipAs(
              {
                width: '2.25rem',
                border: `3px solid ${colour.sheet}`,
                background: 'linear-gradient(135deg, var(--a) 50%, var(--b) 50%)',
                boxShadow: `0 0 0 1px ${colour.edge}`,
                forcedColorAdjust: 'none',
              },
              { boxShadow: `0 0 0 3px ${colour.ink}` },
            )}
          >
            <input type="radio" name="previewPalette" value={name} defaultChecked={index === 0} css={unseen} />
            <span css={unseen}>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  </div>
)

const bar = (width: string, fill: string): CSSObject => ({ width, height: 7, borderRadius: 4, background: fill })

/** Two lines of text, where there is room. */
const lines: CSSObject = {
  display: 'none',
  height: 22,
  marginTop: space.snug,
  background:
    'linear-gradient(var(--b) 0 0) 0 0 / 90% 7px no-repeat, linear-gradient(var(--b) 0 0) 0 100% / 70% 7px no-repeat',
  opacity: 0.6,
  [from.medium]: { display: 'block' },
}

const AddressBar = () => (
  <div css={{ display: 'flex', alignItems: 'center', gap: 6, padding: '0.5rem 0.75rem', background: colour.sunk }}>
    <svg viewBox="0 0 39 9" width="39" height="9" aria-hidden="true" css={{ flex: 'none' }}>
      <path d="M4.5 4.5h0M19.5 4.5h0M34.5 4.5h0" stroke={colour.edge} strokeWidth="9" strokeLinecap="round" />
    </svg>
    <span
      data-preview="domain"
      css={{
        flex: 1,
        marginRight: '1.5rem',
        padding: '0.125rem 0.75rem',
        borderRadius: radius.card,
        background: colour.sheet,
        color: colour.soft,
        fontSize: '0.8125rem',
      }}
    >
      {domainOf('')}
    </span>
  </div>
)

/** The sample site in its window. Decoration: the controls describe it. */
const Sample = () => (
  <div
    aria-hidden="true"
    css={{
      overflow: 'hidden',
      border: `1px solid ${colour.edge}`,
      borderRadius: radius.card,
      background: 'var(--c)',
      color: 'var(--a)',
      boxShadow: shadow.floating,
      // a long name and its address are shown in full
      overflowWrap: 'anywhere',
      forcedColorAdjust: 'none',
    }}
  >
    <AddressBar />
    <div css={{ display: 'flex', alignItems: 'center', gap: space.base, padding: '0.875rem 1.25rem 0' }}>
      <b data-preview="name" css={{ flex: 1, lineHeight: 1.25 }}>
        {UNNAMED}
      </b>
      <i css={bar('2rem', 'var(--b)')} />
      <i css={bar('2.5rem', 'var(--b)')} />
    </div>
    <div
      css={{
        display: 'grid',
        gridTemplateColumns: '1.25fr 1fr',
        alignItems: 'center',
        gap: space.base,
        padding: '0.75rem 1.25rem',
      }}
    >
      <div>
        <p css={{ ...display, minHeight: '2.16em', fontSize: 'clamp(1.25rem, 5vw, 1.75rem)', textWrap: 'balance' }}>
          {TRADES.map(({ id, headline }) => (
            <span key={id} className={`for-${id}`}>
              {headline}
            </span>
          ))}
        </p>
        <i css={lines} />
        <b
          css={{
            display: 'inline-block',
            marginTop: space.base,
            padding: '0.375rem 0.75rem',
            borderRadius: radius.control,
            background: 'var(--a)',
            color: '#fff',
            fontSize: '0.8125rem',
            whiteSpace: 'nowrap',
          }}
        >
          {TRADES.map(({ id, action }) => (
            <span key={id} className={`for-${id}`}>
              {action}
            </span>
          ))}
        </b>
      </div>
      <div>
        {TRADES.map(({ id }) => (
          <div key={id} className={`for-${id}`}>
            <PreviewScene trade={id} />
          </div>
        ))}
      </div>
    </div>
    <div css={{ height: space.snug, margin: '0 1.25rem', borderTop: '7px solid var(--b)', background: '#fff' }} />
  </div>
)

/**
 * The visitor's own site, drawn in HTML and CSS: trade and colours by radio buttons, without script. The name shows as
 * it is typed, and the forms include the choice, once `preview-alive.ts` has loaded.
 */
export const Preview = () => (
  <fieldset
    data-preview="all"
    aria-label="Preview of your own website"
    css={{
      gridArea: 'preview',
      display: 'grid',
      gap: space.base,
      minWidth: 0,
      '& *': { transitionDuration: '200ms' },
      ...showsColours,
    }}
  >
    <Global styles={showsTrade} />
    <Sample />
    <div css={{ [from.medium]: { padding: '0 0.4375rem', ':hover': { borderColor: colour.ink } } }}>
      <Controls />
    </div>
  </fieldset>
)
