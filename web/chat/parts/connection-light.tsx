import { colour } from '../../ui/theme.ts'

/** The number of lines that fit into the header of a chat. */
const MAX_LINES = 2

/** `words` say it to people who cannot distinguish the colours. */
const Light = ({ fill, words }: { fill: string; words: string }) => (
  <span css={{ display: 'inline-flex', alignItems: 'center', gap: '0.375rem', fontSize: '0.8125rem', lineHeight: 1.2 }}>
    <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true" css={{ flex: 'none' }}>
      <circle cx="5" cy="5" r="4.25" fill={fill} stroke={colour.sheet} strokeWidth="1" />
    </svg>
    <span css={{ display: '-webkit-box', overflow: 'hidden', WebkitLineClamp: MAX_LINES, WebkitBoxOrient: 'vertical' }}>
      {words}
    </span>
  </span>
)

/** Green while connected, red otherwise; `back` is when the team is back, while it is away. */
export const ConnectionLight = ({ isConnected, back }: { isConnected: boolean; back?: string | undefined }) => {
  if (!isConnected) return <Light fill="#e5554a" words="Disconnected" />
  return <Light fill="#2fa565" words={back ? `Away, back ${back}` : 'Connected'} />
}
