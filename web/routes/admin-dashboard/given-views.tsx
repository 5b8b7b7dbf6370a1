import { Link } from 'react-router'
import { KIND_NAMES, type LeadKinds } from '../../staff/leads/kinds.ts'
import { withView } from '../../staff/leads/view.ts'
import { colour, space, type } from '../../ui/theme.ts'
import type { View } from './use-view.ts'

/** What staff look for many times a day, over all dates. */
const GIVEN: { name: string; kinds: LeadKinds }[] = [
  { name: 'My leads', kinds: { owner: 'me' } },
  { name: 'Overdue', kinds: { overdue: 'true' } },
  { name: 'Next action due', kinds: { nextAction: 'due' } },
  { name: 'Unassigned', kinds: { owner: 'none' } },
]

const isSame = (one: LeadKinds, other: LeadKinds) => KIND_NAMES.every((name) => one[name] === other[name])

/** The lists that are one click away. */
export const GivenViews = ({ view }: Pick<View, 'view'>) => (
  <nav aria-label="Views" css={{ display: 'flex', flexWrap: 'wrap', gap: `0 ${space.roomy}`, marginTop: space.tight }}>
    {GIVEN.map(({ name, kinds }) => {
      const isHere = view.period === 'all' && view.term === '' && isSame(view.kinds, kinds)
      return (
        <Link
          key={name}
          to={{ search: withView(new URLSearchParams(), { period: 'all', kinds }).toString() }}
          preventScrollReset
          {...(isHere && { 'aria-current': 'true' as const })}
          css={{
            padding: `${space.tight} 0`,
            fontSize: type.small,
            '&[aria-current]': { color: colour.ink, fontWeight: 600, textDecoration: 'none' },
          }}
        >
          {name}
        </Link>
      )
    })}
  </nav>
)
