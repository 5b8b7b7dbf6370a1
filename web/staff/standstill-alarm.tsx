import { Alarm } from './alarm.tsx'
import { shortMomentOf } from './leads/day.ts'
import { useStandstill } from './standstill.ts'

/** What each consumer of the log keeps going, and what becomes of what came in since. */
const WORDS = {
  leads: { what: 'The lists', since: 'Every submission is kept, and shows here once they go on.' },
  chats: { what: 'Ended chats', since: 'Every chat is kept, and shows here once they go on.' },
  overview: { what: 'The figures', since: 'Nothing is lost: it counts once they go on.' },
  dispatch: { what: 'The e-mails', since: 'Nothing is lost: what waits goes out once they go on.' },
}

/** Says above what staff look at that it stands still, since when, and what to do; nothing while it goes on. */
export const StandstillAlarm = ({ of: consumer }: { of: keyof typeof WORDS }) => {
  const standstill = useStandstill(consumer)
  if (!standstill) return null
  const { what, since } = WORDS[consumer]
  return (
    <Alarm
      title={
        standstill.since ? `${what} have stood still since ${shortMomentOf(standstill.since)}` : `${what} stand still`
      }
    >
      <p css={{ flex: '1 1 20rem' }}>
        {since} Ask whoever runs the website to look at its worker:{' '}
        <code css={{ display: 'inline-block', fontSize: '0.85em' }}>npm run projections -- status</code> says more.
      </p>
    </Alarm>
  )
}
