import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { colour, from, radius, size, space, type, unseen } from '../../ui/theme.ts'

const SeeAll = ({ title, allOf }: { title: string; allOf?: string }) =>
  allOf ? (
    `See all ${allOf}`
  ) : (
    <>
      See all<span css={unseen}>: {title}</span>
    </>
  )

/** A kind of work: its title, its count, its first rows, and a link to all of them. */
export const Section = (props: {
  id: string
  title: string
  /** The count, as it is shown and as it is. */
  count: string
  total: number
  isUrgent?: boolean
  /** The address of the full list. */
  all: string
  /** The content of that list, if it lists more than this. */
  allOf?: string
  /** The number of rows shown. */
  shown: number
  children: ReactNode
}) => (
  <section aria-labelledby={props.id} css={{ marginTop: space.roomy }}>
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: `0 ${space.snug}` }}>
      <h2 id={props.id} css={{ fontSize: type.step, ...(props.isUrgent && { color: colour.bad }) }}>
        {props.title} <span css={{ fontWeight: 400, fontVariantNumeric: 'tabular-nums' }}>{props.count}</span>
      </h2>
      <Link
        to={props.all}
        css={{
          marginLeft: 'auto',
          padding: `${space.snug} 0`,
          [from.wide]: { paddingBlock: space.hair },
          fontSize: type.small,
        }}
      >
        <SeeAll {...props} />
      </Link>
    </div>
    <ul
      aria-labelledby={props.id}
      css={{
        border: `1px solid ${colour.line}`,
        borderLeft: `4px solid ${props.isUrgent ? colour.bad : colour.edge}`,
        borderRadius: radius.card,
        background: colour.sheet,
        overflow: 'clip',
      }}
    >
      {props.children}
    </ul>
    {props.shown < props.total && (
      <p css={{ padding: space.snug, color: colour.soft, fontSize: type.small, textAlign: 'center' }}>
        {props.shown} of {props.count} shown.{' '}
        <Link to={props.all} css={{ fontWeight: 600 }}>
          <SeeAll {...props} />
        </Link>
      </p>
    )}
  </section>
)

/** With a mouse, the actions of a row show while it is pointed at or has the focus. */
const WITH_MOUSE = `${from.wide} and (hover: hover)`

/** One task: its title, and its actions on the right; in a wide window on one line if it fits. */
export const Row = ({ title, actions, children }: { title: ReactNode; actions: ReactNode; children: ReactNode }) => (
  <li
    css={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: `${space.tight} ${space.base}`,
      padding: `${space.snug} ${space.base}`,
      '& + &': { borderTop: `1px solid ${colour.line}` },
      [from.wide]: { position: 'relative', paddingBlock: space.hair },
      [WITH_MOUSE]: { ':hover': { background: colour.sunk } },
    }}
  >
    <div
      css={{
        display: 'grid',
        flex: '1 1 18rem',
        gap: space.hair,
        minWidth: 0,
        [from.wide]: { gridTemplateColumns: '13rem minmax(0, 1fr)', alignItems: 'center', columnGap: space.base },
      }}
    >
      {/* the whole line is the link, large enough for a thumb */}
      <div css={{ display: 'grid', fontWeight: 600, '> a': { padding: `${space.hair} 0`, overflowWrap: 'anywhere' } }}>
        {title}
      </div>
      <div
        css={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: `${space.hair} ${space.snug}`,
          color: colour.soft,
          fontSize: type.small,
          [from.wide]: {
            '&& > [dir=auto]': { flex: '1 1 14rem', WebkitLineClamp: 1 },
            // links first: the actions cover the right end
            '&& > a, && > :has(a)': { order: -1 },
          },
        }}
      >
        {children}
      </div>
    </div>
    <div
      css={{
        display: 'grid',
        gridAutoFlow: 'column',
        gridAutoColumns: '1fr',
        flex: '1 1 100%',
        gap: space.tight,
        '&& > *': { minHeight: '2.75rem', paddingInline: space.tight, whiteSpace: 'nowrap' },
        // more than three are too many for one line of a phone
        '&:has(> :nth-child(4))': { gridAutoFlow: 'row', gridTemplateColumns: '1fr 1fr' },
        '&:has(> :nth-child(5))': {
          gridTemplateColumns: 'repeat(6, minmax(min-content, 1fr))',
          '> *': { gridColumn: 'span 2' },
          '> :nth-child(n + 4)': { gridColumn: 'span 3' },
        },
        [from.medium]: {
          '&, &:has(> :nth-child(4))': { gridAutoFlow: 'column', gridTemplateColumns: 'none' },
          '&:has(> :nth-child(5)) > *': { gridColumn: 'auto' },
          gridAutoColumns: 'auto',
          flex: 'none',
          '&& > *': { minHeight: size.quiet, paddingInline: space.snug },
        },
        [from.wide]: { '&& > *': { minHeight: '1.75rem', paddingBlock: 0 } },
        [WITH_MOUSE]: {
          position: 'absolute',
          insetBlock: 0,
          right: 0,
          alignItems: 'center',
          paddingInline: space.base,
          background: colour.sunk,
          opacity: 0,
          'li:hover > &, li:focus-within > &': { opacity: 1 },
        },
      }}
    >
      {actions}
    </div>
  </li>
)
