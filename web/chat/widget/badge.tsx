import { colour, radius } from '../../ui/theme.ts'
import { badge } from '../messaging/conversation.ts'

export const Badge = ({ count }: { count: number }) => (
  <span
    css={{
      display: 'block',
      minWidth: '1.5rem',
      padding: '0 0.375rem',
      borderRadius: radius.round,
      background: colour.bad,
      color: colour.onAccent,
      fontSize: '0.8125rem',
      fontWeight: 700,
      lineHeight: '1.5rem',
      textAlign: 'center',
    }}
  >
    {badge(count)}
  </span>
)
