import { PAGE_LEADS, useLeadPage } from '../../staff/leads/leads.ts'
import { Button } from '../../ui/button.tsx'
import type { View } from './use-view.ts'

type Props = Pick<View, 'view' | 'filter' | 'step'> & {
  /** What to say where other dates have none; nothing is said without it. */
  none?: string
}

/**
 * Says how many leads that are asked for other dates have, as far as one page of the newest tells, once that is known, and
 * leads to them.
 */
export const OtherDates = ({ view, filter, step, none }: Props) => {
  const { data: newest } = useLeadPage({ term: view.term, kinds: view.kinds }, { sort: 'desc', page: 1 })
  const count = newest?.filter(({ timestamp }) => {
    const at = new Date(timestamp)
    return at < filter.from || at >= filter.to
  }).length
  const hasMore = newest?.length === PAGE_LEADS
  if (count === 0 && !hasMore) return none ? <p>{none}</p> : null
  if (count === undefined && !none) return null
  return (
    <p>
      {Boolean(count) && `${count}${hasMore ? ' or more' : ''} on other dates. `}
      <Button look="quiet" onClick={() => step({ period: 'all' })}>
        Search all dates
      </Button>
    </p>
  )
}
