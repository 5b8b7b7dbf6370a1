import { useEffect, useRef, useState } from 'react'
import { inNumbers } from '../../../events/base/amount.ts'
import { useLeadSummary } from '../../staff/leads/leads.ts'
import { Button } from '../../ui/button.tsx'
import type { View } from './use-view.ts'

type Props = Pick<View, 'view' | 'step'> & {
  /** How many the period has. */
  total?: number | undefined
  /** What to say where other dates have none; nothing is said without it. */
  none?: string
}

/** Says how many of the leads that are asked for other dates have, once that is known, and leads to them. */
export const OtherDates = ({ view, total = 0, step, none }: Props) => {
  const { data, isLoading, mutate } = useLeadSummary({ term: view.term, kinds: view.kinds })
  // what one changes here is told of the period first
  const [comparedWith, setComparedWith] = useState<number>()
  const isKnown = useRef(data !== undefined)
  const count = isLoading || !data || comparedWith !== total ? undefined : data.total - total
  useEffect(() => {
    let isWanted = true
    // what is not known yet is on its way already: all dates are dear to count
    const asked = isKnown.current ? mutate() : Promise.resolve()
    isKnown.current = true
    asked.then(() => isWanted && setComparedWith(total))
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
