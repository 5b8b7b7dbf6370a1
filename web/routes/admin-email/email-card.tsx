import { Link } from 'react-router'
import { nameOf } from '../../../events/base/name-of.ts'
import type { DeliveryState, Recipient, RecipientState } from '../../../events/email/email.ts'
import type { ListedEmail } from '../../../events/email/wire.ts'
import { sourceInWords } from '../../../events/lead/labels.ts'
import { serverNow } from '../../client/server-time.ts'
import { Chip } from '../../staff/chip.tsx'
import { futureMomentOf, momentOf } from '../../staff/day.ts'
import { EMAIL_STATES, emailTone } from '../../staff/email/email-states.ts'
import { SHOWN_NAMES } from '../../staff/leads/shown/labels.ts'
import { PlainLink } from '../../staff/leads/shown/plain-link.tsx'
import { rowId } from '../../staff/list/list-keys.ts'
import { colour, from, panel, space, type } from '../../ui/theme.ts'
import { Advice } from './advice.tsx'
import { SendAgain } from './send-again.tsx'
import { answerInWords, tryWords } from './states.ts'

const NAMES: Record<string, string> = {
  ...SHOWN_NAMES,
  leadSource: 'Source',
  pageUrl: 'Page',
  agreedToTerms: 'Agreed to the terms',
}

/** The label of an email's field: the message itself has the name that the form gives it. */
const fieldName = (name: string) => nameOf(NAMES, name)

/** The value of an email's field in words; elsewhere it is stored by its word of the form. */
const fieldValue = (name: string, value: string) => {
  if (name === 'leadSource') return sourceInWords(value)
  return name === 'agreedToTerms' && value === 'true' ? 'yes' : value
}

const RECIPIENTS: Record<Recipient, string> = { agency: 'To the agency', visitor: 'To the visitor', staff: 'To staff' }

/** The states in which an email is tried again automatically. */
const GO_BY_THEMSELVES: DeliveryState[] = ['pending', 'retrying', 'needs_activation', 'blocked']

const INBOX_STATES: Record<RecipientState, string> = {
  delivered: 'has it',
  deferred: 'is tried again',
  refused: 'refused it',
}

const Inboxes = ({ inboxes = [] }: Pick<ListedEmail, 'inboxes'>) =>
  inboxes.length === 0 ? null : (
    <ul aria-label="Inboxes" css={{ display: 'grid', gap: space.hair, fontSize: type.small }}>
      {inboxes.map(({ address, state }, index) => (
        <li key={address ?? index} css={{ overflowWrap: 'anywhere' }}>
          {address ?? 'An inbox that is set no longer'} {nameOf(INBOX_STATES, state)}
        </li>
      ))}
    </ul>
  )

const triesOf = ({ attempts, state, isUnderWay, dueAt }: ListedEmail) => {
  const counted = attempts === 0 ? 'Not tried yet' : attempts === 1 ? '1 attempt' : `${attempts} attempts`
  // storing it counts as an attempt of the queue, but is not an attempt to send it
  const tried = state === 'outbox' ? 'No email server' : counted
  if (isUnderWay) return `${tried}, being sent now`
  const isAutomatic = GO_BY_THEMSELVES.some((each) => each === state)
  const [due, now] = [new Date(dueAt), serverNow()]
  return isAutomatic && due > now ? `${tried}, next ${futureMomentOf(due, now)}` : tried
}

const AboutLink = ({ about: { leadId, sessionId } }: Pick<ListedEmail, 'about'>) => {
  if (leadId) return <PlainLink leadId={leadId}>Open the lead</PlainLink>
  if (sessionId) return <Link to={`/admin-chat?session=${sessionId}`}>Open the chat</Link>
  return null
}

const smallHeading = { fontSize: type.small, fontWeight: 600, letterSpacing: 0 }

const Tries = ({ email: { tries, attempts } }: { email: ListedEmail }) => (
  <section>
    <h3 css={smallHeading}>Tries</h3>
    {tries.length === 0 && <p css={{ marginTop: space.tight, color: colour.soft }}>There has been none yet.</p>}
    <ol css={{ display: 'grid', gap: space.snug, marginTop: space.tight }}>
      {tries.map(({ at, kind, answer }) => (
        <li key={at} css={{ display: 'grid', gap: space.hair }}>
          <span css={{ display: 'flex', flexWrap: 'wrap', gap: `0 ${space.base}` }}>
            <span css={{ fontWeight: 500 }}>{tryWords(kind)}</span>
            <time dateTime={at} css={{ color: colour.soft, fontVariantNumeric: 'tabular-nums' }}>
              {momentOf(at)}
            </time>
          </span>
          {answer && (
            <code css={{ color: colour.soft, fontSize: '0.8125rem', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {answer}
            </code>
          )}
        </li>
      ))}
    </ol>
    {attempts > tries.length && (
      <p css={{ marginTop: space.tight, color: colour.soft }}>Earlier ones are not stored.</p>
    )}
  </section>
)

const Contents = ({ email: { subject, to = [], fields, isErased, isUnreadable } }: { email: ListedEmail }) => (
  <section css={{ minWidth: 0 }}>
    <h3 css={smallHeading}>The email</h3>
    {isErased || isUnreadable ? (
      <p css={{ marginTop: space.tight, color: colour.soft }}>{subject}</p>
    ) : (
      <dl css={{ display: 'grid', gap: space.snug, marginTop: space.tight }}>
        {[...(to.length > 0 ? [['To', to.join(', ')] as const] : []), ['Subject', subject] as const, ...fields].map(
          ([name, value]) => (
            <div key={name}>
              <dt css={{ color: colour.soft, fontSize: '0.8125rem' }}>{fieldName(name)}</dt>
              <dd css={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{fieldValue(name, value)}</dd>
            </div>
          ),
        )}
      </dl>
    )}
  </section>
)

/** One email in the list: its state, advice, its attempts, its content, and the button to send it again. */
export const EmailCard = ({ email, show }: { email: ListedEmail; show: (email: ListedEmail) => void }) => {
  const [last] = email.tries
  return (
    <article
      aria-label={email.subject}
      css={{
        display: 'grid',
        gap: space.snug,
        padding: `1.125rem ${space.base}`,
        [from.medium]: { paddingInline: space.roomy },
        ...panel,
      }}
    >
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: `${space.hair} ${space.snug}` }}>
        <h2 css={{ fontSize: '1.0625rem', letterSpacing: '-0.01em', overflowWrap: 'anywhere' }}>
          {email.subject} {email.person && <span css={{ color: colour.soft, fontWeight: 400 }}>{email.person}</span>}
        </h2>
        <Chip tone={email.isStuck ? 'bad' : emailTone(email.state)}>{nameOf(EMAIL_STATES, email.state)}</Chip>
        <time
          dateTime={email.createdAt}
          css={{
            color: colour.soft,
            fontSize: type.small,
            fontVariantNumeric: 'tabular-nums',
            [from.medium]: { marginLeft: 'auto' },
          }}
        >
          {momentOf(email.createdAt)}
        </time>
      </div>
      <p css={{ display: 'flex', flexWrap: 'wrap', gap: `${space.hair} ${space.base}`, color: colour.soft }}>
        <span>{nameOf(RECIPIENTS, email.recipient)}</span>
        {email.recipient !== 'agency' && <span css={{ overflowWrap: 'anywhere' }}>{email.to?.join(', ')}</span>}
        <span>{triesOf(email)}</span>
        <AboutLink about={email.about} />
      </p>
      <Advice email={email} />
      {email.state !== 'delivered' && <Inboxes {...(email.inboxes && { inboxes: email.inboxes })} />}
      {last?.answer && email.state !== 'delivered' && email.state !== 'outbox' && (
        <p css={{ color: colour.soft, fontSize: type.small, overflowWrap: 'anywhere' }}>
          Last response: {answerInWords(last.answer)}
        </p>
      )}
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: space.base }}>
        <details css={{ flex: '1 1 0', minWidth: 0, fontSize: type.small, '&[open]': { flexBasis: '16rem' } }}>
          <summary id={rowId(email.id)} css={{ padding: `${space.tight} 0`, cursor: 'pointer', fontWeight: 500 }}>
            Details
          </summary>
          <div
            css={{
              display: 'grid',
              gap: space.roomy,
              marginTop: space.snug,
              [from.medium]: { gridTemplateColumns: '1fr 1fr' },
            }}
          >
            <Tries email={email} />
            <Contents email={email} />
          </div>
        </details>
        {!email.isErased && !email.isUnreadable && <SendAgain email={email} show={show} />}
      </div>
    </article>
  )
}
