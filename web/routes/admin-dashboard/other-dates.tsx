import { useEffect, useRef, useState } from 'react'
import { inNumbers } from '../../../events/base/amount.ts'
import { useLeadSummary } from '../../staff/leads/list/leads.ts'
import { Button } from '../../ui/button.tsx'
import type { View } from './use-view.ts'

type Props = Pick<View, 'view' | 'step'> & {
  /** The number of leads in the period. */
  total?: number | undefined
  /** The text if other dates have none; nothing is shown without it. */
  none?: string
}

/** Shows how many matching leads other dates have, once that is known, and links to them. */
export const OtherDates = ({ view, total = 0, step, none }: Props) => {
  const { data, isLoading, mutate } = useLeadSummary({ term: view.term, kinds: view.kinds })
  // the period shows a change made here before the count of all dates does
  const [comparedWith, setComparedWith] = useState<number>()
  const isKnown = useRef(data !== undefined)
  const count = isLoading || !data || comparedWith !== total ? undefined : data.total - total
  useEffect(() => {
    let isWanted = true
    // a count that is not loaded yet is being fetched already: counting all dates is expensive
    const counted = isKnown.current ? mutate() : Promise.resolve()
    isKnown.current = true
    counted.then(() => isWanted && setComparedWith(total))
    return () => {
      isWanted = false
    }
  }, [mutate, total])
  if (count === undefined && !none) return null
  if (count !== undefined && count <= 0) return none ? <p role="status">{none}</p> : null
  return (
    <p role="status">
      {count !== undefined && `${inNumbers(count)} on other dates. `}
      <Button look="quiet" onClick={() => step({ period: 'all' })}>
        Search all dates
      </Button>
    </p>
  )
}
