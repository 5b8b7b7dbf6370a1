import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { colour, radius, space } from '../ui/theme.ts'
import { tipAbove, tipped } from '../ui/tooltip.ts'

/** The emphasis of a chip: `bad` needs attention, `good` needs none, `fresh` and `done` are worth a look. */
export type ChipTone = 'plain' | 'fresh' | 'done' | 'good' | 'bad'

const TONES: Record<ChipTone, { background: string; color: string }> = {
  plain: { background: colour.sunk, color: colour.ink },
  fresh: { background: colour.accentWash, color: colour.accentDeep },
  done: { background: colour.ink, color: colour.onInk },
  good: { background: colour.goodWash, color: colour.good },
  bad: { background: colour.badWash, color: colour.bad },
}

const lookOf = (tone: ChipTone) =>
  ({
    display: 'inline-flex',
    alignItems: 'center',
    gap: '0.375rem',
    padding: `0.125rem ${space.tight}`,
    borderRadius: radius.control,
    ...TONES[tone],
    fontSize: '0.8125rem',
    fontWeight: tone === 'bad' ? 600 : 500,
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
  }) as const

/** A short label of a lead that stands out in a list; `tip` adds details in a tooltip, and for a screen reader. */
export const Chip = ({ tone = 'plain', tip, children }: { tone?: ChipTone; tip?: string; children: ReactNode }) => (
  <span {...(tip && tipped(tip))} css={[tip && tipAbove, lookOf(tone)]}>
    {children}
  </span>
)

/** A chip that links to its subject; `label` names the lead, as a list has many. */
export const ChipLink = ({ tip, label, ...link }: LinkProps & { tip: string; label: string }) => (
  <Link
    {...link}
    {...tipped(tip)}
    aria-label={label}
    css={[tipAbove, lookOf('plain'), { minHeight: '1.5rem', textDecoration: 'underline' }]}
  />
)
