import { Link } from 'react-router'
import { agencyDay } from '../../../events/base/agency-day.ts'
import { nameOf } from '../../../events/base/name-of.ts'
import { CASE_WARNING_DAYS, openCases } from '../../../events/privacy/case.ts'
import { serverNow } from '../../client/server-time.ts'
import { Chip } from '../../staff/chip.tsx'
import { dayInShort } from '../../staff/day.ts'
import { CASE_NAMES, usePrivacyCases } from '../../staff/privacy/privacy-cases.ts'
import { Row, Section } from './section.tsx'

const PRIVACY = '/admin-privacy'
const MAX_SHOWN = 5

/** The requests about privacy whose reply is due within seven days, for owners; nothing if there are none. */
export const RequestSection = () => {
  const { data } = usePrivacyCases()
  const today = agencyDay(serverNow())
  const due = openCases(data ?? [], today, CASE_WARNING_DAYS)
  if (due.length === 0) return null
  const shown = due.slice(0, MAX_SHOWN)
  return (
    <Section
      id="requests-due"
      title="Privacy requests"
      count={String(due.length)}
      total={due.length}
      isUrgent={due.some(({ dueOn }) => dueOn < today)}
      all={PRIVACY}
      shown={shown.length}
    >
      {shown.map(({ id, from, kind, dueOn }) => (
        <Row key={id} id={id} title={<Link to={PRIVACY}>{from ?? 'An erased person'}</Link>} actions={null}>
          <Chip tone={dueOn < today ? 'bad' : 'fresh'}>
            {dueOn < today ? 'Late: was due on ' : 'Due on '}
            {dayInShort(dueOn)}
          </Chip>
          <span>{nameOf(CASE_NAMES, kind)}</span>
        </Row>
      ))}
    </Section>
  )
}
