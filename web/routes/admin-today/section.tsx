import { css } from '@emotion/react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { colour, from, onPhone, panel, size, space, thumbLink, type, unseen } from '../../ui/theme.ts'

const SeeAll = ({ title, allOf }: { title: string; allOf?: string }) =>
  allOf ? (
    `See all ${allOf}`
  ) : (
    <>
      See all<span css={unseen}>: {title}</span>
    </>
  )

/** A kind of work: its title, its count, its first rows, and a link to all of them if there is one list of them. */
export const Section = (props: {
  id: string
  title: string
  /** The count, as it is shown and as it is. */
  count: string
  total: number
  isUrgent?: boolean
  /** The address of the full list. */
  all?: string
  /** The content of that list, if it lists more than this. */
  allOf?: string
  shown: number
  children: ReactNode
}) => (
  <section aria-labelledby={props.id} css={{ marginTop: space.base }}>
    <div css={{ display: 'flex', alignItems: 'baseline', gap: space.snug, minHeight: '1.75rem' }}>
      <h2 id={props.id} css={{ fontSize: type.body, ...(props.isUrgent && { color: colour.bad }) }}>
        {props.title} <span css={{ fontWeight: 400, fontVariantNumeric: 'tabular-nums' }}>{props.count}</span>
      </h2>
      {props.all && (
        <Link to={props.all} css={{ marginLeft: 'auto', fontSize: type.small, textAlign: 'end', ...thumbLink }}>
          <SeeAll {...props} />
        </Link>
      )}
    </div>
    <ul aria-labelledby={props.id} css={{ ...panel, overflow: 'clip' }}>
      {props.children}
    </ul>
    {props.all && props.shown < props.total && (
      <p css={{ padding: space.tight, color: colour.soft, fontSize: type.small, textAlign: 'center' }}>
        {props.shown} of {props.count} shown.{' '}
        <Link to={props.all} css={{ fontWeight: 600, ...thumbLink }}>
          <SeeAll {...props} />
        </Link>
      </p>
    )}
  </section>
)

/** With a mouse, the actions of a row show while it is pointed at or has the focus. */
const WITH_MOUSE = `${from.medium} and (hover: hover)`

/** On a phone the actions are their icons, and the others are on the screen of the item; without icons they are words. */
const iconsOnPhone = {
  [onPhone]: {
    marginBlock: `-${space.hair}`,
    '&& > *': { width: '2.75rem', minHeight: '2.75rem', padding: 0, borderColor: 'transparent', fontSize: 0 },
    '&&:has(svg) > :not(:has(svg))': { display: 'none' },
    '&&:not(:has(svg))': { flexDirection: 'column', gap: 0 },
    '&&:not(:has(svg)) > *': { width: 'auto', paddingInline: space.tight, fontSize: type.small },
    '& svg': { width: '1.125rem', height: '1.125rem' },
  },
} as const

/** Facts on one line; the links among them first, as the end of the line may have no room. */
const oneLine = {
  display: 'flex',
  alignItems: 'center',
  gap: space.tight,
  minWidth: 0,
  overflow: 'hidden',
  color: colour.soft,
  fontSize: type.small,
  whiteSpace: 'nowrap',
  '& > *': { flex: 'none', maxWidth: '100%', overflow: 'hidden', textOverflow: 'ellipsis' },
  '&& > [dir=auto]': {
    display: 'block',
    flex: '0 1 auto',
    minWidth: '4rem',
    whiteSpace: 'nowrap',
    [onPhone]: { flexShrink: 0 },
  },
  '&& > a, && > :has(a)': { order: -1 },
} as const

// serialized once for all rows
const looks = {
  row: css({
    position: 'relative',
    display: 'grid',
    // the actions leave the second line to the words, and are no higher than their line
    gridTemplate: '"title title actions" "due facts facts" / auto minmax(0, 1fr) auto',
    alignItems: 'center',
    minHeight: '3.5rem',
    padding: `${space.hair} ${space.hair} ${space.hair} ${space.snug}`,
    '& + &': { borderTop: `1px solid ${colour.line}` },
    [from.medium]: {
      gridTemplate: '"title facts due actions" / minmax(9rem, 14rem) minmax(0, 1fr) auto auto',
      columnGap: space.snug,
      minHeight: '2.25rem',
      padding: `0 ${space.snug}`,
    },
    [WITH_MOUSE]: { ':hover, :focus-within': { background: colour.sunk } },
  }),
  title: css({
    display: 'grid',
    gridArea: 'title',
    minWidth: 0,
    fontWeight: 600,
    '> *': { overflow: 'hidden', padding: `${space.hair} 0`, textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '> a': {
      color: colour.ink,
      textDecoration: 'none',
      ':hover': { textDecoration: 'underline' },
      ':focus-visible': { outlineOffset: -2 },
    },
  }),
  facts: css([{ gridArea: 'facts' }, oneLine]),
  due: css({ gridArea: 'due', [onPhone]: { marginRight: space.tight } }),
  actions: css([
    {
      gridArea: 'actions',
      display: 'flex',
      gap: space.hair,
      '&& > *': { minHeight: size.quiet, paddingBlock: 0, paddingInline: space.tight, whiteSpace: 'nowrap' },
      '& svg': { width: '1rem', height: '1rem' },
      [WITH_MOUSE]: {
        '&& > *': { minHeight: '1.75rem', background: colour.sheet },
        position: 'absolute',
        insetBlock: 0,
        right: 0,
        alignItems: 'center',
        paddingInline: space.tight,
        background: colour.sunk,
        opacity: 0,
        'li:hover > &, li:focus-within > &': { opacity: 1 },
      },
    },
    iconsOnPhone,
  ]),
}

/**
 * One task, 36 px high, on a phone two lines: its title, its facts (`children`), when it is due, and its actions. Links
 * in the title are the whole line.
 */
export const Row = (props: {
  id: string
  title: ReactNode
  due?: ReactNode
  actions: ReactNode
  children: ReactNode
}) => (
  <li data-row={props.id} css={looks.row}>
    <div css={looks.title}>{props.title}</div>
    <div css={looks.facts}>{props.children}</div>
    {props.due && <div css={looks.due}>{props.due}</div>}
    <div css={looks.actions}>{props.actions}</div>
  </li>
)
