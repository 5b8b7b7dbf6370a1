import type { ReactNode } from 'react'
import { colour, radius, space } from '../../ui/theme.ts'

/** How a chip stands out: `bad` asks for somebody's care, `fresh` and `done` for a look. */
export type ChipTone = 'plain' | 'fresh' | 'done' | 'bad'

const TONES: Record<ChipTone, { background: string; color: string }> = {
  plain: { background: colour.sunk, color: colour.ink },
  fresh: { background: colour.accentWash, color: colour.accentDeep },
  done: { background: colour.ink, color: colour.onInk },
  bad: { background: colour.badWash, color: colour.bad },
}

/** A few words about a lead that the eye finds in a list. */
export const Chip = ({ tone = 'plain', title, children }: { tone?: ChipTone; title?: string; children: ReactNode }) => (
  <span
    title={title}
    css={{
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
    }}
  >
    {children}
  </span>
)
