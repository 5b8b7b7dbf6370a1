import { keyframes } from '@emotion/react'
import type { ReactNode } from 'react'
import type { Lead } from '../../../events/lead/wire.ts'
import { type Day, dayInWords } from '../../staff/day.ts'
import { colour, space, type, unseen, withMotion } from '../../ui/theme.ts'

const slideIn = keyframes({ from: { opacity: 0, translate: '0 -0.75rem' } })
const settle = keyframes({ from: { boxShadow: `0 0 0 3px ${colour.accentWash}` } })

/** The leads of a day on this page; `count` is the number of the day's leads on all pages. */
export const DayGroup = (props: {
  day: Day
  /**
   * Whether the day and its count are shown above already, as the title of the period: then only screen readers get
   * them.
   */
  isTitled: boolean
  count: number
  leads: Lead[]
  arrived: ReadonlySet<string>
  show: (lead: Lead) => ReactNode
}) => (
  <section aria-labelledby={`day-${props.day}`} css={{ marginTop: props.isTitled ? space.snug : space.roomy }}>
    <h3
      id={`day-${props.day}`}
      css={[
        { display: 'flex', alignItems: 'baseline', gap: space.snug, marginBottom: space.snug, fontSize: type.body },
        props.isTitled && unseen,
      ]}
    >
      <span>{dayInWords(props.day)} </span>
      <span css={{ color: colour.soft, fontSize: type.small, fontWeight: 400, letterSpacing: 0 }}>
        {props.count === 1 ? '1 submission' : `${props.count} submissions`}
      </span>
    </h3>
    <ul css={{ display: 'grid', gap: space.snug }}>
      {props.leads.map((lead) => (
        <li
          key={lead.id}
          data-row={lead.id}
          css={
            props.arrived.has(lead.id) && {
              '> article': { [withMotion]: { animation: `${slideIn} 350ms ease-out, ${settle} 4s ease-out` } },
            }
          }
        >
          {props.show(lead)}
        </li>
      ))}
    </ul>
  </section>
)
