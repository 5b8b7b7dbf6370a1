import { useEffect, useRef, useState } from 'react'
import { referenceOf } from '../../../events/reference.ts'
import { afterSupportTime, backInWords, REPLY_PROMISE_MS, type SupportHours } from '../../../events/support-hours.ts'
import { agency, whatsappLink } from '../../content/agency.ts'
import { NEXT_STEPS } from '../../content/next-steps.ts'
import { type HttpError, request } from '../../http.ts'
import { Button, ButtonLink } from '../button.tsx'
import { ChatIcon, CheckIcon, WhatsAppIcon } from '../icons.tsx'
import { colour, radius, space, type } from '../theme.ts'

/** A WhatsApp link with a longer message is refused by some phones. */
const MAX_PREFILLED_CHARACTERS = 1_000

const REPLY_STEP_MS = 5 * 60_000

/** By when somebody replies, such as `tomorrow by 10AM`, to the next 5 minutes; undefined as long as the support hours are not known. */
const useReplyBy = (): string | undefined => {
  const [words, setWords] = useState<string>()
  useEffect(() => {
    const now = new Date()
    request('/api/support-hours')
      .then(async (response) => {
        const hours: SupportHours = await response.json()
        const by = afterSupportTime(now, REPLY_PROMISE_MS, hours).getTime()
        setWords(backInWords(new Date(Math.ceil(by / REPLY_STEP_MS) * REPLY_STEP_MS), now).replace(' at ', ' by '))
      })
      .catch(() => {})
  }, [])
  return words
}

const stepsOf = (isContract: boolean) =>
  isContract ? NEXT_STEPS.slice(2) : NEXT_STEPS.filter(({ what }) => /quote|call/.test(what))

const Step = ({ when, what }: { when: string; what: string }) => (
  <li css={{ padding: `${space.snug} 0`, borderTop: `1px solid ${colour.line}` }}>
    <strong css={{ display: 'block', fontWeight: 600 }}>{what}</strong>
    <span css={{ color: colour.soft, fontSize: type.small }}>{when}</span>
  </li>
)

/** What stands in place of a form that was sent: the reference, what happens next and by when, and how to reach us sooner. */
export const SentPanel = (sent: {
  /** What was sent, in a word of ours. */
  what: 'request' | 'contract'
  leadId: string
  onAnother: () => void
}) => {
  const { what, leadId, onAnother } = sent
  const reference = referenceOf(leadId)
  const heading = useRef<HTMLHeadingElement>(null)
  const replyBy = useReplyBy()
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby={`sent-${reference}`} css={{ display: 'grid', gap: space.base }}>
      <span
        css={{
          display: 'grid',
          placeItems: 'center',
          width: '3rem',
          height: '3rem',
          borderRadius: radius.round,
          background: colour.accentWash,
          color: colour.accentDeep,
          fontSize: '1.25rem',
        }}
      >
        <CheckIcon />
      </span>
      <h3 ref={heading} tabIndex={-1} id={`sent-${reference}`} css={{ outline: 'none', fontSize: type.step }}>
        Thanks, we've received your {what}.
      </h3>
      <p>
        Your reference is{' '}
        <strong css={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums', letterSpacing: '0.04em' }}>
          {reference}
        </strong>
        . Mention it when you call or write to us.
      </p>
      <ol aria-label="What happens next">
        <Step
          what="We get back to you"
          when={
            replyBy
              ? `${replyBy[0]?.toUpperCase()}${replyBy.slice(1)}, South African time`
              : `Within 2 hours during business hours (${agency().supportHours})`
          }
        />
        {stepsOf(what === 'contract').map((step) => (
          <Step key={step.what} {...step} />
        ))}
      </ol>
      {what === 'contract' && (
        <p>
          Meanwhile, <a href="/yourwebsiteinfo">tell us about your website</a>: we build it from your answers.
        </p>
      )}
      <p css={{ fontWeight: 600 }}>Need us sooner?</p>
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.snug }}>
        <ButtonLink
          href={whatsappLink(`Hi! I just sent you my ${what}. My reference is ${reference}.`)}
          target="_blank"
          rel="noreferrer"
        >
          <WhatsAppIcon />
          WhatsApp us
        </ButtonLink>
        <Button data-opens-chat="" look="outline">
          <ChatIcon />
          Chat now
        </Button>
      </div>
      <p>
        <Button look="quiet" onClick={onAnother}>
          Send another {what}
        </Button>
      </p>
    </section>
  )
}

/** What the form says on WhatsApp in its own place: who writes, and what they typed. */
const prefilled = ({ name, message }: { name?: string | null | undefined; message?: string | undefined }) => {
  const lines = [`Hi! Your website could not send my form.`, name && `I am ${name}.`, message]
  return [...lines.filter(Boolean).join(' ').toWellFormed()].slice(0, MAX_PREFILLED_CHARACTERS).join('')
}

const waitInWords = (seconds: number) =>
  seconds > 90 ? `in about ${Math.ceil(seconds / 60)} minutes` : `in ${seconds} seconds`

/** Stays in a form that could not be sent: nothing is lost, try again, or say it on WhatsApp. */
export const FailureNote = (failure: {
  /** What goes into the message on WhatsApp. */
  typed?: { name?: string | null | undefined; message?: string | undefined }
  error: unknown
  isSending: boolean
}) => {
  const { typed, error, isSending } = failure
  const { retryAfterS } = error as Partial<HttpError>
  return (
    <div
      data-failure=""
      css={{
        display: 'grid',
        gap: space.snug,
        padding: space.base,
        border: `1px solid ${colour.bad}`,
        borderRadius: radius.control,
        background: colour.badWash,
      }}
    >
      <p css={{ color: colour.bad, fontWeight: 600 }}>We couldn't send this yet.</p>
      <p css={{ fontSize: type.small }}>
        Nothing is lost: what you typed is still here, also after a reload.{' '}
        {retryAfterS ? `Please try again ${waitInWords(retryAfterS)}, or use WhatsApp.` : null}
      </p>
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.snug }}>
        <Button type="submit" look="outline" disabled={isSending}>
          Try again
        </Button>
        <ButtonLink look="outline" href={whatsappLink(prefilled(typed ?? {}))} target="_blank" rel="noreferrer">
          <WhatsAppIcon />
          Use WhatsApp
        </ButtonLink>
      </div>
    </div>
  )
}
