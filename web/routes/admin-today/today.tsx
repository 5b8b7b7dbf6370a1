import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { Today } from '../../../events/wire/today.ts'
import { dayInWords, dayOf } from '../../staff/leads/day.ts'
import { FetchFailure, Notice } from '../../staff/notice.tsx'
import { StalledAlarm } from '../../staff/stalled-alarm.tsx'
import { useTitle } from '../../staff/title.ts'
import { useToday } from '../../staff/today.ts'
import { useNow } from '../../ui/now.ts'
import { colour, space, type } from '../../ui/theme.ts'
import { ChatSection } from './chats.tsx'
import { EmailSection } from './emails.tsx'
import { ANSWERED, DONE, LeadSection } from './leads.tsx'

const DAY_INTERVAL_MS = 15_000

const isNothing = ({ overdue, dueSoon, nextActions, chats, emails }: Today) =>
  [overdue, dueSoon, nextActions, chats, emails].every(({ count }) => count === 0)

const Work = ({ found, onChanged }: { found: Today; onChanged: () => void }) => (
  <>
    <LeadSection
      id="overdue"
      title="Overdue"
      found={found.overdue}
      ending={ANSWERED}
      isUrgent
      all="overdue=true"
      onChanged={onChanged}
    />
    <LeadSection
      id="due-soon"
      title="Due soon"
      found={found.dueSoon}
      ending={ANSWERED}
      all="status=new"
      onChanged={onChanged}
    />
    <ChatSection found={found.chats} />
    <EmailSection found={found.emails} onChanged={onChanged} />
    <LeadSection
      id="next-actions"
      title="Next action due"
      found={found.nextActions}
      ending={DONE}
      all="nextAction=due"
      onChanged={onChanged}
    />
  </>
)

/** What staff have to do now, most urgent first, each a click from its action; live. */
export const TodayScreen = () => {
  useTitle('Today')
  const day = dayOf(useNow(DAY_INTERVAL_MS))
  const { data, error, mutate } = useToday()
  const heading = useRef<HTMLHeadingElement>(null)
  const hasActed = useRef(false)
  const refresh = () => {
    hasActed.current = true
    mutate()
  }
  useEffect(() => {
    // the button that was pressed went with its row
    if (data && hasActed.current && document.activeElement === document.body) heading.current?.focus()
  }, [data])
  return (
    <>
      <StalledAlarm of="leads" />
      <h1 ref={heading} tabIndex={-1} css={{ fontSize: type.heading, outline: 'none' }}>
        Today
      </h1>
      <p css={{ marginTop: space.tight, color: colour.soft }}>{dayInWords(day)}. Updates live.</p>
      {error && (
        <div css={{ marginTop: space.roomy }}>
          <FetchFailure title="Error loading today’s work" error={error} retry={refresh} />
        </div>
      )}
      {!data && !error && (
        <div css={{ marginTop: space.roomy }}>
          <Notice title="Loading today’s work..." />
        </div>
      )}
      {data && <Work found={data} onChanged={refresh} />}
      {data && isNothing(data) && (
        <div css={{ marginTop: space.roomy }}>
          <Notice title="Nothing waits for you">
            Every lead and chat has its answer. <Link to="/admin-dashboard">Go to the dashboard</Link>
          </Notice>
        </div>
      )}
    </>
  )
}
