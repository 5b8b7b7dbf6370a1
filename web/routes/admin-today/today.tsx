import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { type Today, today } from '../../../events/lead/today-wire.ts'
import { dayInWords, dayOf } from '../../staff/day.ts'
import { useLoggedContacts } from '../../staff/leads/contact/log-contact.tsx'
import { ANSWERED, DONE } from '../../staff/leads/list/action.tsx'
import { useAfterLeadChanges } from '../../staff/leads/live/after-changes.ts'
import { useLiveWords } from '../../staff/leads/live/stream.ts'
import { FetchFailure, Placeholder } from '../../staff/placeholder.tsx'
import { StalledBanner } from '../../staff/shell/stalled-banner.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { useGet } from '../../staff/use-get.ts'
import { useNow } from '../../ui/now.ts'
import { colour, space, type } from '../../ui/theme.ts'
import { ChatSection } from './chats.tsx'
import { ContractSection } from './contracts.tsx'
import { EmailSection } from './emails.tsx'
import { LeadSection } from './leads.tsx'
import { NamePrompt } from './name-prompt.tsx'
import { QuarantineSection } from './quarantine.tsx'

/**
 * The tasks that staff have now: fetched again soon after a lead has changed, in quarantine too, and polled for chats
 * and emails, which are not in the stream of leads.
 */
const useToday = () => {
  const { data, error, mutate } = useGet('/api/today', today, { poll: 'watched', revalidateIfStale: true })
  useAfterLeadChanges(() => mutate(), { hasQuarantine: true })
  return { data, error, refresh: () => mutate() }
}

const DAY_INTERVAL_MS = 15_000

const isNothing = ({ overdue, dueSoon, fresh, quarantined, nextActions, chats, emails }: Today) =>
  [overdue, dueSoon, fresh, quarantined, nextActions, chats, emails].every(({ count }) => count === 0)

const Work = ({ found, onChanged }: { found: Today; onChanged: () => void }) => (
  <>
    <LeadSection
      id="overdue"
      title="Overdue"
      found={found.overdue}
      others={found.otherRequests}
      action={ANSWERED}
      isUrgent
      all="overdue=true&sort=asc"
      onChanged={onChanged}
    />
    <LeadSection
      id="due-soon"
      title="Due soon"
      found={found.dueSoon}
      others={found.otherRequests}
      action={ANSWERED}
      all="status=new&sort=asc"
      allOf="new leads"
      onChanged={onChanged}
    />
    <ChatSection found={found.chats} />
    <QuarantineSection found={found.quarantined} onChanged={onChanged} />
    <EmailSection found={found.emails} onChanged={onChanged} />
    <LeadSection
      id="next-actions"
      title="Next action due"
      found={found.nextActions}
      others={found.otherRequests}
      action={DONE}
      all="nextAction=due"
      onChanged={onChanged}
    />
    {/* the longest list, and the least urgent: below the others it hides none of them */}
    <LeadSection
      id="new-leads"
      title="New"
      found={found.fresh}
      others={found.otherRequests}
      action={ANSWERED}
      all="status=new&sort=asc"
      allOf="new leads"
      onChanged={onChanged}
    />
  </>
)

const rowsBelow = (heading: HTMLElement | null) => [...(heading?.parentElement?.querySelectorAll('section li') ?? [])]

/** The tasks that staff have now, most urgent first, each with a direct link to its action; live. */
export const TodayScreen = () => {
  useTitle('Today')
  const day = dayOf(useNow(DAY_INTERVAL_MS))
  const liveWords = useLiveWords()
  const { data, error, refresh: fetchAgain } = useToday()
  const heading = useRef<HTMLHeadingElement>(null)
  const actedAt = useRef<number>(undefined)
  const refresh = () => {
    actedAt.current = rowsBelow(heading.current).findIndex((row) => row.contains(document.activeElement))
    fetchAgain()
  }
  useLoggedContacts(refresh)
  useEffect(() => {
    // the pressed button is gone, perhaps with its row: the one in its place is next, if there is one now
    if (!data || actedAt.current === undefined || document.activeElement !== document.body) return
    const rows = rowsBelow(heading.current)
    const row = rows[Math.min(actedAt.current, rows.length - 1)]
    const next = row?.querySelector('a') ?? heading.current
    next?.focus({ preventScroll: true })
  }, [data])
  return (
    <>
      <StalledBanner of="leads" />
      <h1 ref={heading} tabIndex={-1} css={{ fontSize: type.heading, outline: 'none' }}>
        Today
      </h1>
      <p css={{ marginTop: space.tight, color: colour.soft }}>
        {dayInWords(day)}. {liveWords}
      </p>
      <NamePrompt />
      {error && (
        <div css={{ marginTop: space.roomy }}>
          <FetchFailure title="Error loading today’s work" error={error} retry={refresh} />
        </div>
      )}
      {!data && !error && (
        <div css={{ marginTop: space.roomy }}>
          <Placeholder title="Loading today’s work..." />
        </div>
      )}
      {data && <Work found={data} onChanged={refresh} />}
      <ContractSection />
      {data && isNothing(data) && (
        <div css={{ marginTop: space.roomy }}>
          <Placeholder title="Nothing waits for you">
            Every lead and chat has its answer. <Link to="/admin-dashboard">Go to the dashboard</Link>
          </Placeholder>
        </div>
      )}
    </>
  )
}
