import { Link } from 'react-router'
import { isContract } from '../../../events/lead/form/kind.ts'
import { type Today, today } from '../../../events/lead/screens/today-wire.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { dayInWords, dayOf } from '../../staff/day.ts'
import { useSendsTo } from '../../staff/email/emails.ts'
import { ANSWERED, DONE, type ListAction } from '../../staff/leads/change/action.tsx'
import { useLoggedContacts } from '../../staff/leads/contact/log-contact.tsx'
import { useLeadKeys } from '../../staff/leads/keys/lead-keys.tsx'
import { ListedIds, useReturnToList } from '../../staff/leads/list/place.ts'
import { useAfterLeadChanges } from '../../staff/leads/live/after-changes.ts'
import { useLiveWords } from '../../staff/leads/live/stream.ts'
import { quarantinePath } from '../../staff/leads/quarantine/quarantine.ts'
import { Pending, Placeholder } from '../../staff/placeholder.tsx'
import { useGet } from '../../staff/requests/use-get.ts'
import { StalledBanner } from '../../staff/shell/stalled-banner.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { SunIcon } from '../../ui/icons.tsx'
import { useNow } from '../../ui/now.ts'
import { colour, space } from '../../ui/theme.ts'
import { ChatRow } from './chats.tsx'
import { ContractSection, useDueContracts } from './contracts.tsx'
import { ATTENTION, EmailRow, isUnsent, NotSetUp } from './emails.tsx'
import { countOf, LeadRow } from './leads.tsx'
import { NamePrompt } from './name-prompt.tsx'
import { FlaggedRows } from './quarantine.tsx'
import { RequestSection } from './requests.tsx'
import { Section } from './section.tsx'

/**
 * The tasks that staff have now: fetched again soon after a lead has changed, in quarantine too, and polled for chats
 * and emails, which are not in the stream of leads.
 */
const useToday = () => {
  const { data, error, mutate } = useGet('/api/today', today, { poll: 'watched', revalidateIfStale: true })
  useAfterLeadChanges(() => mutate(), { hasQuarantine: true })
  return { data, error, refresh: () => mutate() }
}

const NEW_LEADS = '/admin-dashboard?period=all&status=new&sort=asc'

/** The work as it is shown: a lead that waits for its reply is not listed a second time for its next action. */
const workOf = ({ overdue, dueSoon, fresh, quarantined, nextActions, chats, emails }: Today) => {
  const waiting = [overdue, dueSoon, fresh]
  const leads = waiting.flatMap((group) => group.leads)
  const isSigned = ({ leadSource }: Lead) => isContract(leadSource)
  const planned = nextActions.leads.filter(({ id }) => !leads.some((lead) => lead.id === id))
  return {
    chats: chats.chats,
    // signed contracts first, the others by when they are due
    leads: [...leads.filter(isSigned), ...leads.filter((lead) => !isSigned(lead))],
    now: waiting.reduce((sum, { count }) => sum + count, chats.count),
    isLate: overdue.count > 0,
    planned,
    nextActions: nextActions.count - (nextActions.leads.length - planned.length),
    quarantined: quarantined.leads,
    toCheck: quarantined.count + emails.count,
  }
}

const Work = ({ found, onChanged }: { found: Today; onChanged: () => void }) => {
  const isSetUp = useSendsTo('agency') === true
  const work = workOf(found)
  const notEmailed = isSetUp ? [] : found.emails.emails.filter(isUnsent)
  const emails = found.emails.emails.filter((email) => !notEmailed.includes(email))
  const toCheck = work.toCheck - notEmailed.length
  const row = (action: ListAction) => (lead: Lead) => (
    <LeadRow
      key={lead.id}
      lead={lead}
      other={found.otherRequests.find(({ leadId }) => leadId === lead.id)}
      action={action}
      onChanged={onChanged}
    />
  )
  const leads = [...work.leads, ...work.planned]
  const choices = useLeadKeys({ leads, onChanged })
  useReturnToList()
  return (
    <ListedIds value={leads.map(({ id }) => id)}>
      {choices}
      {notEmailed.length > 0 && <NotSetUp known={notEmailed.length} />}
      {work.now > 0 && (
        <Section
          id="now"
          title="Now"
          count={countOf(work.now)}
          total={work.now}
          isUrgent={work.isLate}
          all={NEW_LEADS}
          allOf="new leads"
          shown={work.chats.length + work.leads.length}
        >
          {work.chats.map((chat) => (
            <ChatRow key={chat.sessionId} chat={chat} />
          ))}
          {work.leads.map(row(ANSWERED))}
        </Section>
      )}
      {work.planned.length > 0 && (
        <Section
          id="next-actions"
          title="Next actions"
          count={countOf(work.nextActions)}
          total={work.nextActions}
          all="/admin-dashboard?period=all&nextAction=due"
          shown={work.planned.length}
        >
          {work.planned.map(row(DONE))}
        </Section>
      )}
      {work.quarantined.length + emails.length > 0 && (
        <Section
          id="to-check"
          title="To check"
          count={countOf(toCheck)}
          total={toCheck}
          {...(emails.length > 0 ? { all: ATTENTION, allOf: 'emails to check' } : { all: quarantinePath() })}
          shown={work.quarantined.length + emails.length}
        >
          <FlaggedRows leads={work.quarantined} onChanged={onChanged} />
          {emails.map((email) => (
            <EmailRow key={email.id} email={email} onChanged={onChanged} />
          ))}
        </Section>
      )}
    </ListedIds>
  )
}

const toDo = (found: Today) => {
  const { now, nextActions, toCheck } = workOf(found)
  return now + nextActions + toCheck
}

export const TodayScreen = () => {
  useTitle('Today')
  const day = dayOf(useNow())
  const liveWords = useLiveWords()
  const { data, error, refresh } = useToday()
  const { data: contracts, isLoading } = useDueContracts()
  useLoggedContacts(refresh)
  return (
    <>
      <TopBar
        title="Today"
        note={[dayInWords(day), data && `${countOf(toDo(data))} to do`, liveWords].filter(Boolean).join(' · ')}
      />
      <StalledBanner of="leads" />
      <NamePrompt />
      {(error || !data) && (
        <div css={{ marginTop: space.base }}>
          <Pending what="today’s work" isLoading error={error} retry={refresh} />
        </div>
      )}
      {data && <Work found={data} onChanged={refresh} />}
      <ContractSection />
      <RequestSection />
      {data && toDo(data) === 0 && !isLoading && !contracts?.count && (
        <div css={{ marginTop: space.base }}>
          <Placeholder title="Nothing waits for you">
            <p
              css={{
                display: 'grid',
                justifyItems: 'center',
                gap: space.tight,
                '& svg': { fontSize: '2.5rem', color: colour.sun },
              }}
            >
              <SunIcon />
              Every lead and chat has its answer. <Link to="/admin-pipeline">Look at the pipeline</Link>
            </p>
          </Placeholder>
        </div>
      )}
    </>
  )
}
