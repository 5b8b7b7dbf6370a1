import { isAnyKind } from '../../staff/leads/list/kinds.ts'
import { endsToday } from '../../staff/leads/list/period.ts'
import { Placeholder } from '../../staff/placeholder.tsx'
import { Button } from '../../ui/button.tsx'
import { space } from '../../ui/theme.ts'
import { OtherDates } from './other-dates.tsx'
import type { View } from './use-view.ts'

const SEARCHED = 'Names, businesses, emails, phones and companies are searched. Messages are not.'
const SEVERAL_WORDS = 'Each word must be in one of them. Try fewer words.'

const emptyLine = ({ term, period, kinds }: View['view']) => {
  if (isAnyKind(kinds)) {
    const conditions = term ? `your search "${term}" and the filters` : 'the filters'
    return `No submissions match ${conditions}${period === 'all' ? '' : ' for the selected period'}.`
  }
  if (period === 'all') return term ? `No submissions match your search "${term}".` : 'There are no submissions yet.'
  return term
    ? `No submissions match your search "${term}" for the selected period.`
    : `No form submissions for the selected ${endsToday(period) ? 'period' : period}.`
}

/** Shown if a period has no matching lead: the possible reasons, and what to do. */
export const Empty = ({ view, step }: Pick<View, 'view' | 'step'>) => (
  <Placeholder title="No submissions found">
    <p>{emptyLine(view)}</p>
    {view.term && (
      <p>
        {SEARCHED}
        {/\s/.test(view.term) && ` ${SEVERAL_WORDS}`}
      </p>
    )}
    <div css={{ display: 'grid', justifyItems: 'center', gap: space.tight, ':not(:empty)': { marginTop: space.base } }}>
      {(view.term || isAnyKind(view.kinds)) && view.period !== 'all' && (
        <OtherDates view={view} step={step} none="None on other dates either." />
      )}
      {isAnyKind(view.kinds) && (
        <Button look="quiet" onClick={() => step({ kinds: {} })}>
          Clear filters
        </Button>
      )}
    </div>
  </Placeholder>
)
