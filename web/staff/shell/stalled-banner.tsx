import { stalledConsumers } from '../../../events/base/stalled-consumers.ts'
import { shortMomentOf } from '../day.ts'
import { useGet } from '../requests/use-get.ts'
import { Banner } from './banner.tsx'

/** The data that each consumer of the log keeps up to date, and what happens to events since then. */
const WORDS = {
  leads: { what: 'The lists', since: 'Every submission is stored and shows here once they catch up.' },
  chats: { what: 'Ended chats', since: 'Every chat is stored and shows here once they catch up.' },
  overview: { what: 'The figures', since: 'Nothing is lost: it counts once they catch up.' },
  contracts: { what: 'The contracts', since: 'Nothing is lost: every step shows once they catch up.' },
  dispatch: { what: 'The emails', since: 'Nothing is lost: waiting messages are sent once they catch up.' },
}

/** Shows above a screen that its data is behind, since when, and how to proceed; nothing while it is up to date. */
export const StalledBanner = ({ of: consumer }: { of: keyof typeof WORDS }) => {
  const { data } = useGet('/api/standstill', stalledConsumers, { poll: 'waiting' })
  const stalled = data?.find((one) => one.consumer === consumer)
  if (!stalled) return null
  const { what, since } = WORDS[consumer]
  return (
    <Banner
      title={stalled.since ? `${what} have been behind since ${shortMomentOf(stalled.since)}` : `${what} are paused`}
    >
      <p css={{ flex: '1 1 20rem' }}>
        {since} Ask the person who runs the website to look at its worker:{' '}
        <code css={{ display: 'inline-block', fontSize: '0.85em' }}>npm run projections -- status</code> says more.
      </p>
    </Banner>
  )
}
