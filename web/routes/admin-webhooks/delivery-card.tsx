import { Link } from 'react-router'
import { nameOf } from '../../../events/base/name-of.ts'
import type { WebhookDelivery } from '../../../events/webhook/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { Chip, type ChipTone } from '../../staff/chip.tsx'
import { futureMomentOf, momentOf } from '../../staff/day.ts'
import { PlainLink } from '../../staff/leads/shown/plain-link.tsx'
import { useBusy } from '../../staff/requests/use-busy.ts'
import { TOPIC_NAMES } from '../../staff/webhooks/webhook-topics.ts'
import { Button } from '../../ui/button.tsx'
import { colour, from, panel, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { resendDelivery } from './deliveries.ts'
import { STATE_NAMES } from './states.ts'

type Attempt = WebhookDelivery['tries'][number]

const TONES: Partial<Record<string, ChipTone>> = { given_up: 'bad', waiting: 'fresh', delivered: 'good' }

const tryInWords = ({ status, problem }: Attempt) => {
  if (status === null) return problem ?? 'No answer'
  return problem ? `Answered ${status}: ${problem}` : `Answered ${status}`
}

const triesInWords = ({ attempts, state, dueAt }: WebhookDelivery) => {
  const tried = attempts === 0 ? 'Not tried yet' : attempts === 1 ? '1 try' : `${attempts} tries`
  const [due, now] = [dueAt && new Date(dueAt), serverNow()]
  return state === 'waiting' && due && due > now ? `${tried}, next ${futureMomentOf(due, now)}` : tried
}

/** The reason why a message has not arrived: the result of its last attempt; none if it arrived or was not tried. */
const reasonInWords = ({ state, tries: [last] }: WebhookDelivery) =>
  state === 'delivered' || !last ? undefined : `Last try: ${tryInWords(last)}`

const AboutLink = ({ leadId, chatId }: WebhookDelivery) => {
  if (leadId) return <PlainLink leadId={leadId}>Open the lead</PlainLink>
  return chatId && <Link to={`/admin-chat?session=${chatId}`}>Open the chat</Link>
}

const Tries = ({ delivery: { host, tries, attempts, answer } }: { delivery: WebhookDelivery }) => (
  <details css={{ flex: '1 1 16rem', minWidth: 0, fontSize: type.small }}>
    <summary css={{ padding: `${space.tight} 0`, cursor: 'pointer', fontWeight: 500 }}>Tries</summary>
    <ol css={{ display: 'grid', gap: space.hair, marginTop: space.tight }}>
      {tries.map((each) => (
        <li key={each.at} css={{ display: 'flex', flexWrap: 'wrap', gap: `0 ${space.base}` }}>
          <span css={{ fontWeight: 500 }}>{tryInWords(each)}</span>
          {each.host && each.host !== host && <span>{each.host}</span>}
          <time dateTime={each.at} css={{ color: colour.soft, fontVariantNumeric: 'tabular-nums' }}>
            {momentOf(each.at)}
          </time>
        </li>
      ))}
    </ol>
    {attempts > tries.length && <p css={{ color: colour.soft }}>Earlier ones are not stored.</p>}
    {answer && (
      <>
        <p css={{ marginTop: space.tight }}>The last answer begins so:</p>
        <code css={{ color: colour.soft, fontSize: '0.8125rem', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {answer}
        </code>
      </>
    )}
  </details>
)

/** One message to another program: its state, its attempts, and the button to send it again. */
export const DeliveryCard = ({ delivery, onResent }: { delivery: WebhookDelivery; onResent: () => void }) => {
  const { isBusy, run } = useBusy('Not sent again')
  const topic = nameOf(TOPIC_NAMES, delivery.topic)
  const reason = reasonInWords(delivery)
  const resend = () =>
    run(async () => {
      await resendDelivery(delivery)
      toast({ title: 'Sending again', description: 'Sent again with the same ID.' })
      onResent()
    })
  return (
    <article
      aria-label={`${topic}, ${delivery.host}`}
      css={{
        display: 'grid',
        gap: space.tight,
        padding: space.base,
        ...panel,
        overflowWrap: 'anywhere',
      }}
    >
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: `${space.hair} ${space.snug}` }}>
        <h2 css={{ fontSize: '1.0625rem', letterSpacing: '-0.01em' }}>
          {topic} <span css={{ color: colour.soft, fontWeight: 400 }}>{delivery.host}</span>
        </h2>
        <Chip tone={TONES[delivery.state] ?? 'plain'}>{nameOf(STATE_NAMES, delivery.state)}</Chip>
        <time
          dateTime={delivery.happenedAt}
          css={{ color: colour.soft, fontSize: type.small, [from.medium]: { marginLeft: 'auto' } }}
        >
          {momentOf(delivery.happenedAt)}
        </time>
      </div>
      <p css={{ display: 'flex', flexWrap: 'wrap', gap: `${space.hair} ${space.base}`, color: colour.soft }}>
        <span>{triesInWords(delivery)}</span>
        {reason && <span css={{ color: colour.bad }}>{reason}</span>}
        <AboutLink {...delivery} />
      </p>
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: space.base }}>
        {delivery.tries.length > 0 && <Tries delivery={delivery} />}
        {delivery.isResendable && (
          <Button look="quiet" aria-disabled={isBusy} onClick={resend} css={{ marginLeft: 'auto' }}>
            {isBusy ? 'Asking...' : 'Send again'}
          </Button>
        )}
      </div>
    </article>
  )
}
