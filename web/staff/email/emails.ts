import { useEffect } from 'react'
import { mutate as refresh } from 'swr'
import { type EmailFilter, emailSummary, type ListedEmail, listedEmails } from '../../../events/email/wire.ts'
import { send } from '../../client/http.ts'
import { serverNow } from '../../client/server-time.ts'
import { useGet, useGetPages } from '../requests/use-get.ts'

const KEY = '/api/emails'
const SUMMARY_KEY = '/api/emails/summary'
/** An email that is due in less than this is about to be sent. */
const SOON_MS = 5_000
/** An email that was not sent this long after it was due is held up: staff no longer wait for it at the screen. */
const WATCH_MS = 60_000
/** Lower than the node's own maximum count. */
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
  useEffect(() => {
    // an email that was sent, or failed, is counted elsewhere now
    if (awaited > 0) return () => void refresh(SUMMARY_KEY)
  }, [awaited])

  /** Shows an email with changes, until the next fetch. */
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

/** The number of emails of each kind, some of them counted up to 1,000 only. */
export const useEmailSummary = () => useGet(SUMMARY_KEY, emailSummary, { poll: 'lists' })

/** Whether emails to the agency, or to other people, are sent; undefined if that is not known. */
export const useSendsTo = (recipient: ListedEmail['recipient']): boolean | undefined => {
  const { data } = useEmailSummary()
  return recipient === 'agency' ? data?.isSetUp : data?.reachesPeople
}

/** The sentence about `what`, an email to a visitor that the site cannot send. */
export const storedForLater = (name: string) =>
  `This site has no mail server yet: ${name} is stored on the Email screen and can be sent from there later`

/**
 * Whether email reaches people other than the agency, so that staff can write to them: `unknown` if the node is not
 * configured with it, and undefined until the node has responded.
 */
export const useReachesPeople = (): boolean | 'unknown' | undefined => {
  const { data, error } = useEmailSummary()
  if (!data && !error) return undefined
  return data?.reachesPeople ?? 'unknown'
}

/** A count as it is shown: `999+` above the maximum. */
export const countInWords = (count: number) => (count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count))

/** Sends an email again. Repeated requests for the same email as it was shown send it once. */
export const resendEmail = ({ id, attempts }: ListedEmail) => send('POST', `${KEY}/${id}/resend`, { attempts })
