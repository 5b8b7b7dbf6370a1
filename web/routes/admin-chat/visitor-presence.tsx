import { differenceInMinutes } from 'date-fns'
import type { VisitorPlace } from '../../../events/chat/wire.ts'
import { durationInWords } from '../../staff/leads/clock/clock.ts'
import { useNow } from '../../ui/now.ts'
import { colour, space } from '../../ui/theme.ts'
import { tipAbove, tipped } from '../../ui/tooltip.ts'
import { pageInWords } from './pages.ts'

const TICK_MS = 20_000

const DOT = { flex: 'none', width: '0.5rem', height: '0.5rem', borderRadius: '50%' } as const

/** Describes the page that a visitor is on, and for how long. */
export const presenceInWords = ({ pageUrl, since }: VisitorPlace, firstPage: string | null, now: Date) => {
  const page = pageUrl ?? firstPage
  const minutes = differenceInMinutes(now, new Date(since))
  const duration = minutes < 1 ? 'under 1 min' : durationInWords(minutes)
  return `${page === null ? 'Here' : `On ${pageInWords(page)}`} for ${duration}`
}

/** Whether the visitor of a chat is connected, on which page, and since when. */
export const VisitorPresence = ({ here, firstPage }: { here: VisitorPlace | null; firstPage: string | null }) => {
  const now = useNow(here ? TICK_MS : undefined)
  const page = here && (here.pageUrl ?? firstPage)
  return (
    <span
      {...(page && tipped(page))}
      css={[page && tipAbove, { display: 'flex', alignItems: 'center', gap: space.hair, minWidth: 0 }]}
    >
      <span
        aria-hidden="true"
        css={{ ...DOT, ...(here ? { background: colour.good } : { border: `1.5px solid ${colour.edge}` }) }}
      />
      <span css={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {here ? presenceInWords(here, firstPage, now) : 'Has left'}
      </span>
    </span>
  )
}
