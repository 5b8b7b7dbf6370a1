import { colour, space } from '../../ui/theme.ts'
import type { UnsentMessage } from '../messaging/conversation.ts'
import { prefilledWhatsapp } from './prefilled-whatsapp.ts'

/** A message that is on its way for longer than this is shown as late. */
const LATE_AFTER_MS = 12_000

export const isLate = ({ timestamp, refused }: UnsentMessage, now: Date) =>
  refused === undefined && now.getTime() - Date.parse(timestamp) > LATE_AFTER_MS

export const unsentNote = (unsent: UnsentMessage, now: Date) => {
  if (unsent.refused !== undefined) return `Not sent: ${unsent.refused}`
  return isLate(unsent, now) ? 'Not sent yet. We keep trying.' : 'Sending'
}

/** The choices of a visitor for a message that was not sent. */
export const UnsentChoices = (props: { message: string; canRetry: boolean; onRetry: () => void }) => (
  <p
    css={{
      display: 'flex',
      gap: space.base,
      fontSize: '0.8125rem',
      'a, button': { padding: `${space.hair} 0`, minHeight: '1.75rem' },
    }}
  >
    {props.canRetry && (
      <button
        type="button"
        onClick={props.onRetry}
        css={{ border: 0, background: 'none', color: colour.accent, textDecoration: 'underline' }}
      >
        Try again
      </button>
    )}
    <a href={prefilledWhatsapp(props.message)} target="_blank" rel="noreferrer">
      Send it on WhatsApp
    </a>
  </p>
)
