import { useEffect } from 'react'
import { useSWRConfig } from 'swr'
import { type EmailFilter, emailSummary, type ListedEmail, listedEmails } from '../../events/email/wire.ts'
import { send } from '../client/http.ts'
import { serverNow } from '../client/server-time.ts'
import { useGet, useGetPages } from './use-get.ts'

const KEY = '/api/emails'
const SUMMARY_KEY = '/api/emails/summary'
/** An email that is due in less than this is about to be sent. */
const SOON_MS = 5_000
/** An email that was not sent so long after it was due is held up: nobody waits for it at the screen. */
const WATCH_MS = 60_000
/** Below what the node counts up to. */
const MAX_SHOWN = 999

/** Whether an email is about to be sent, and staff at the screen wait for it: for a minute after it was due. */
export const isAwaited = ({ state, dueAt, isUnderWay }: ListedEmail, now = serverNow().getTime()) =>
  Date.parse(dueAt) + WATCH_MS > now &&
  (isUnderWay || ((state === 'pending' || state === 'retrying') && Date.parse(dueAt) < now + SOON_MS))

/** The emails of a kind, newest first, page by page; polled more often while one of them is about to be sent. */
export const useEmails = (filter: EmailFilter | undefined) => {
  const first = filter ? `${KEY}?state=${filter}` : KEY
  const {
    items: emails,
    mutate,
    ...list
  } = useGetPages(first, listedEmails, {
    poll: (known) => (known?.some((email) => isAwaited(email)) ? 'sending' : 'lists'),
  })
  const awaited = emails?.filter((email) => isAwaited(email)).length ?? 0
  const { mutate: refresh } = useSWRConfig()
  useEffect(() => {
    // an email that was sent, or failed, is counted elsewhere now
    if (awaited > 0) return () => void refresh(SUMMARY_KEY)
  }, [awaited, refresh])

  /** Shows an email otherwise than it was fetched, until the next fetch. */
  const show = (changed: ListedEmail) =>
    mutate(
      (pages) =>
        pages?.map((page) => ({
          ...page,
          items: page.items.map((other) => (other.id === changed.id ? changed : other)),
        })),
      { revalidate: false },
    )
  return { ...list, emails, show }
}

/** How many emails there are of each kind, some of them counted no further than 1,000. */
export const useEmailSummary = () => useGet(SUMMARY_KEY, emailSummary, { poll: 'lists' })

/** Whether emails to the agency, or to people beside it, go out; undefined where that is not known. */
export const useSendsTo = (recipient: ListedEmail['recipient']): boolean | undefined => {
  const { data } = useEmailSummary()
  return recipient === 'agency' ? data?.isSetUp : data?.reachesPeople
}

/** What becomes of `what`, an email to a visitor, where the site cannot send it. */
export const keptForLater = (what: string) =>
  `This site has no mail server yet: ${what} is kept on the Email screen, to be sent from there later`

/**
 * Whether email reaches people beside the agency, so that staff can write to them: `unknown` where the node is not
 * told, and undefined until the node has answered.
 */
export const useReachesPeople = (): boolean | 'unknown' | undefined => {
  const { data, error } = useEmailSummary()
  if (!data && !error) return undefined
  return data?.reachesPeople ?? 'unknown'
}

/** A count as it is shown: `999+` for what is counted no further. */
export const countInWords = (count: number) => (count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count))

/** Has an email sent again. However often it is asked of the same email as it was shown, it goes out once. */
export const resendEmail = ({ id, attempts }: ListedEmail) => send('POST', `${KEY}/${id}/resend`, { attempts })
