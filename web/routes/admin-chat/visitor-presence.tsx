import { differenceInMinutes } from 'date-fns'
import type { VisitorPlace } from '../../../events/chat/wire.ts'
import { durationInWords } from '../../staff/leads/clock/clock.ts'
import { useNow } from '../../ui/now.ts'
import { colour, unseen } from '../../ui/theme.ts'
import { tipAbove, tipped } from '../../ui/tooltip.ts'
import { pageInWords } from './pages.ts'

const DOT = { flex: 'none', width: '0.5rem', height: '0.5rem', borderRadius: '50%' } as const

/** Describes the page that a visitor is on, and for how long; null stands for a visitor who has left. */
export const presenceInWords = (here: VisitorPlace | null, firstPage: string | null, now: Date) => {
  if (!here) return 'Left the site'
  const page = here.pageUrl ?? firstPage
  const minutes = differenceInMinutes(now, new Date(here.since))
  const duration = minutes < 1 ? 'under 1 min' : durationInWords(minutes)
  return `Here, ${page === null ? '' : `on ${pageInWords(page)}, `}${duration}`
}

type Props = { here: VisitorPlace | null; firstPage: string | null }

/** Whether the visitor of a chat is connected, on which page, and for how long. */
export const VisitorPresence = ({ here, firstPage }: Props) => {
  const now = useNow(here ? undefined : null)
  const page = here && (here.pageUrl ?? firstPage)
  return (
    <span {...(page && tipped(page))} css={[page && tipAbove, { minWidth: 0 }]}>
      <span css={{ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {presenceInWords(here, firstPage, now)}
      </span>
    </span>
  )
}

/** A dot for a connected visitor, a ring for one who has left. */
export const PresenceDot = ({ here, firstPage }: Props) => (
  <span
    aria-hidden="true"
    {...tipped((here && (here.pageUrl ?? firstPage)) ?? 'Left the site')}
    css={[
      tipAbove,
      DOT,
      here ? { background: colour.good } : { boxSizing: 'border-box', border: `1.5px solid ${colour.edge}` },
    ]}
  />
)

/** The words for `PresenceDot`, for screen readers; nothing while it is unknown whether the visitor is connected. */
export const PresenceWords = ({
  here,
  firstPage,
}: {
  here: VisitorPlace | null | undefined
  firstPage: string | null
}) => {
  const now = useNow(here ? undefined : null)
  return here === undefined ? null : <span css={unseen}>{presenceInWords(here, firstPage, now)} </span>
}
