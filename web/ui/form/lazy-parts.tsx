import { Global } from '@emotion/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { referenceOf } from '../../../events/base/reference.ts'
import { isContract, sentInWords, WEBSITE_INFO_SOURCE } from '../../../events/lead/form/kind.ts'
import { sourceInWords } from '../../../events/lead/labels.ts'
import type { HttpError, NewTerms } from '../../client/http.ts'
import { agency, whatsappLink } from '../../content/agency.ts'
import { STEPS_AFTER, stepsAfterContract } from '../../content/next-steps.ts'
import { Button, ButtonLink } from '../button.tsx'
import { ChatIcon, CheckIcon, WhatsAppIcon } from '../icons.tsx'
import { colour, from, radius, space, type } from '../theme.ts'
import type { Sent } from './last-sent.ts'
import { replyByInWords } from './reply-by.ts'
import { suggestedAddress } from './suggested-address.ts'

/** A WhatsApp link with a longer message is refused by some phones. */
const MAX_PREFILLED_CHARACTERS = 1_000

/** The time of the reply, such as `Tomorrow before 10:00`; undefined until the support hours are known. */
const useReplyBy = (sentAt: string): string | undefined => {
  const [words, setWords] = useState<string>()
  useEffect(() => {
    replyByInWords(new Date(sentAt)).then(setWords, () => {})
  }, [sentAt])
  return words
}

const stepsAfter = (leadSource: string, delivery: string | undefined) => {
  if (delivery) return stepsAfterContract(delivery)
  if (leadSource === WEBSITE_INFO_SOURCE) return STEPS_AFTER.answers
  return leadSource === 'hero_form' ? STEPS_AFTER.consultation : STEPS_AFTER.quote
}

// The visitor's own clock, as in the chat.
const momentInWords = (instant: string) =>
  new Date(instant).toLocaleString('en-ZA', { dateStyle: 'long', timeStyle: 'short', hour12: false })

const Step = ({ when, what }: { when: string; what: string }) => (
  <li css={{ padding: `${space.snug} 0`, borderTop: `1px solid ${colour.line}` }}>
    <strong css={{ display: 'block', fontWeight: 600 }}>{what}</strong>
    <span css={{ color: colour.soft, fontSize: type.small }}>{when}</span>
  </li>
)

/** Hides the invitation below the section's heading after the form was sent; a contract's page handles that itself. */
const answered = { 'section:has([data-sent]) h2 + p': { display: 'none' } }

/** The tick above the words. */
const Tick = ({ ref }: { ref: RefObject<HTMLSpanElement | null> }) => (
  <span
    ref={ref}
    css={{
      display: 'grid',
      placeItems: 'center',
      // below the header of a phone, with the next steps visible
      scrollMargin: '7.5rem 0 24rem',
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
)

/** How to reach us before we reply; `whatsApp` is the message that is prepared there. */
const Sooner = ({ whatsApp }: { whatsApp: string }) => (
  <>
    <p css={{ marginTop: space.tight, fontWeight: 600 }}>Need us sooner?</p>
    <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.snug }}>
      <ButtonLink look="outline" href={whatsappLink(whatsApp)} target="_blank" rel="noreferrer">
        <WhatsAppIcon />
        WhatsApp us
      </ButtonLink>
      <Button data-opens-chat="" look="outline">
        <ChatIcon />
        Chat now
      </Button>
    </div>
  </>
)

/** Replaces a sent form: the reference, the next steps with their times, and ways to reach us sooner. */
export const SentPanel = (props: {
  leadSource: string
  /** By when the package of a contract is delivered. */
  delivery?: string | undefined
  /** `isEarlier`: an earlier visit sent it; focus and scroll position then do not change. */
  sent: Sent & { isEarlier: boolean }
  onAnother: () => void
}) => {
  const { leadSource, delivery, sent, onAnother } = props
  const { isEarlier } = sent
  const isSigned = isContract(leadSource)
  const isAnswers = leadSource === WEBSITE_INFO_SOURCE
  const sentForm = isAnswers ? 'answers' : sentInWords(leadSource)
  const { first, later } = stepsAfter(leadSource, delivery)
  const reference = referenceOf(sent.leadId)
  const tick = useRef<HTMLSpanElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  // the questionnaire has a page to itself
  const Heading = isAnswers ? 'h2' : 'h3'
  const replyBy = useReplyBy(sent.sentAt)
  useEffect(() => {
    if (isEarlier) return
    heading.current?.focus({ preventScroll: true })
    tick.current?.scrollIntoView({ block: 'nearest' })
  }, [isEarlier])
  return (
    <section aria-labelledby={`sent-${reference}`} data-sent="" css={{ display: 'grid', gap: space.base }}>
      {!isSigned && <Global styles={answered} />}
      <Tick ref={tick} />
      <Heading ref={heading} tabIndex={-1} id={`sent-${reference}`} css={{ outline: 'none', fontSize: type.step }}>
        {isEarlier && isSigned
          ? `Your ${sourceInWords(leadSource)} is signed.`
          : `Thanks, we've received your ${sentForm}.`}
      </Heading>
      <p>
        {isEarlier && `You sent ${isAnswers ? 'them' : 'it'} on ${momentInWords(sent.sentAt)}. `}
        Your reference is{' '}
        <strong css={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums', letterSpacing: '0.04em' }}>
          {reference}
        </strong>
        . Mention it when you call or write to us.
      </p>
      <ol aria-label="What happens next">
        <Step
          what={first}
          when={
            replyBy
              ? `${replyBy}, South African time`
              : `Within 2 hours during business hours (${agency().supportHours})`
          }
        />
        {later.map((step) => (
          <Step key={step.what} {...step} />
        ))}
      </ol>
      {sent.copy && (
        <p>
          <ButtonLink look="outline" href={sent.copy} download>
            Download your signed copy (PDF)
          </ButtonLink>
        </p>
      )}
      {isSigned && (
        <>
          <p>Your next step: answer our questions about your website. We build it from your answers.</p>
          <p>
            <ButtonLink href={`/yourwebsiteinfo?reference=${reference}`}>Tell us about your website</ButtonLink>
          </p>
        </>
      )}
      <Sooner whatsApp={`Hi! I sent you my ${sentForm}. My reference is ${reference}.`} />
      <p>
        <Button look="quiet" onClick={onAnother}>
          {isAnswers ? 'Answer the questions again' : `Send another ${isSigned ? 'contract' : 'request'}`}
        </Button>
      </p>
    </section>
  )
}

/** The panel for the questionnaire, which leads to the thank-you page: only a later visit shows this. */
export const SentAnswers = ({ sent, onAnother }: { sent: Sent; onAnother: () => void }) => (
  <SentPanel leadSource={WEBSITE_INFO_SOURCE} sent={{ ...sent, isEarlier: true }} onAnother={onAnother} />
)

/** The form's content as a WhatsApp message: the sender's name and message. */
const prefilled = ({ name, message }: { name?: string | null | undefined; message?: string | undefined }) => {
  const lines = [`Hi! Your website could not send my form.`, name && `I am ${name}.`, message]
  return [...lines.filter(Boolean).join(' ').toWellFormed()].slice(0, MAX_PREFILLED_CHARACTERS).join('')
}

const waitInWords = (seconds: number) =>
  seconds > 90 ? `in about ${Math.ceil(seconds / 60)} minutes` : `in ${seconds} seconds`

/** Stays in a form that could not be sent: nothing is lost, try again, or say it on WhatsApp. */
export const FailureNote = (failure: {
  typed?: { name?: string | null | undefined; message?: string | undefined }
  error: unknown
  isSending: boolean
}) => {
  const { typed, error, isSending } = failure
  const { retryAfterS } = error as Partial<HttpError>
  const note = useRef<HTMLDivElement>(null)
  // also after another attempt: the message is announced again
  useEffect(() => {
    if (error) note.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  return (
    <div
      ref={note}
      data-failure=""
      css={{
        display: 'grid',
        gap: space.snug,
        // the toast at the foot of larger windows covers none of it
        scrollMarginBlock: `${space.base} var(--notice, ${space.base})`,
        [from.medium]: { '--notice': '9.5rem' },
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

/** Shows how the terms have changed since the page was opened, above the box that has to be ticked again. */
export const ChangedTerms = ({ terms }: { terms: NewTerms }) => {
  const note = useRef<HTMLElement>(null)
  useEffect(() => {
    if (terms) note.current?.focus()
  }, [terms])
  return (
    <section
      ref={note}
      aria-label="Changed terms"
      tabIndex={-1}
      css={{
        display: 'grid',
        gap: space.snug,
        scrollMarginTop: '7.5rem',
        padding: space.base,
        border: `1px solid ${colour.line}`,
        borderLeft: `4px solid ${colour.sun}`,
        borderRadius: radius.control,
        fontSize: type.small,
        overflowWrap: 'anywhere',
      }}
    >
      <p css={{ fontSize: type.body, fontWeight: 600 }}>The terms have changed since you opened this page.</p>
      <p>Nothing was sent, and what you typed is still here. Read the changes, then agree again.</p>
      {terms.changes.map(({ part, removed, added }) => (
        <div key={part}>
          <p css={{ fontWeight: 600 }}>{part}</p>
          {removed.map((line) => (
            <p key={line} css={{ color: colour.soft }}>
              Before: <del>{line}</del>
            </p>
          ))}
          {added.map((line) => (
            <p key={line}>
              Now: <ins>{line}</ins>
            </p>
          ))}
        </div>
      ))}
    </section>
  )
}

export { suggestedAddress as meantAddress }

/** Suggests a corrected address below the field; one press applies it. It never blocks the form. */
export const SuggestedAddress = ({ suggested, onAccept }: { suggested: string; onAccept: () => void }) => (
  <span role="status">
    Did you mean{' '}
    <button
      type="button"
      onClick={onAccept}
      css={{
        minHeight: '1.5rem',
        padding: 0,
        border: 0,
        background: 'transparent',
        color: colour.accent,
        fontWeight: 600,
        textDecoration: 'underline',
        overflowWrap: 'anywhere',
      }}
    >
      {suggested}
    </button>
    ?
  </span>
)
