import { useEffect } from 'react'
import useSWR, { useSWRConfig } from 'swr'
import {
  type EmailFilter,
  type EmailSummary,
  emailSummary,
  type ListedEmail,
  listedEmails,
} from '../../events/wire/email.ts'
import { postJson } from '../http.ts'
import { loader } from '../load.ts'
import { serverNow } from '../server-time.ts'
import { usePageList } from './page-list.ts'

const KEY = '/api/emails'
const SUMMARY_KEY = '/api/emails/summary'
const REFRESH_INTERVAL_MS = 30_000
/** While something on the screen is about to go out, somebody is waiting for it. */
const WATCH_INTERVAL_MS = 3_000
/** What is due in less than this is about to go out. */
const SOON_MS = 5_000
/** What has not gone out so long after it was due is held up: nobody waits for it at the screen. */
const WATCH_MS = 60_000
/** Below what the node counts up to. */
const MAX_SHOWN = 999

const isAboutToGo = ({ state, dueAt, isUnderWay }: ListedEmail, now: number) =>
  isUnderWay || ((state === 'pending' || state === 'retrying') && Date.parse(dueAt) < now + SOON_MS)

/**
 * Until when to watch the screen, in ms since 1970: a minute after the last of those that are about to go was due; else
 * 0.
 */
export const watchedUntil = (emails: readonly ListedEmail[], now = serverNow().getTime()) => {
  const ends = emails.filter((email) => isAboutToGo(email, now)).map(({ dueAt }) => Date.parse(dueAt) + WATCH_MS)
  return Math.max(0, ...ends.filter((end) => end > now))
}

/**
 * The emails of a kind, newest first, page by page; fetched again every 30 s, and every 3 s while one is about to go and
 * the page is in sight.
 */
export const useEmails = (filter: EmailFilter | undefined) => {
  const first = filter ? `${KEY}?state=${filter}` : KEY
  const {
    items: emails,
    mutate,
    ...list
  } = usePageList(first, listedEmails, {
    refreshInterval: REFRESH_INTERVAL_MS,
    revalidateAll: true,
  })
  const until = watchedUntil(emails ?? [])
  const { mutate: refresh } = useSWRConfig()
  useEffect(() => {
    if (until === 0) return
    const timer = setInterval(() => {
      if (serverNow().getTime() > until) return clearInterval(timer)
      if (!document.hidden) mutate()
    }, WATCH_INTERVAL_MS)
    return () => {
      clearInterval(timer)
      refresh(SUMMARY_KEY) // what went out, or did not, is counted elsewhere now
    }
  }, [until, mutate, refresh])

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

/** How many emails there are of each kind, some of them counted no further than 1,000; fetched again every 30 s. */
export const useEmailSummary = () =>
  useSWR<EmailSummary, Error>(SUMMARY_KEY, loader(emailSummary), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })

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
export const resendEmail = ({ id, attempts }: ListedEmail) => postJson(`${KEY}/${id}/resend`, { attempts })
