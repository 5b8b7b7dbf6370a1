import { colour } from '../ui/theme.ts'

/** Green while connected, red otherwise (specification, 4); the word says it to those who cannot tell the two apart. */
export const ConnectionLight = ({ isConnected }: { isConnected: boolean }) => (
  <span css={{ display: 'inline-flex', alignItems: 'center', gap: '0.375rem', fontSize: '0.8125rem', lineHeight: 1.2 }}>
    <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true" css={{ flex: 'none' }}>
      <circle cx="5" cy="5" r="4.25" fill={isConnected ? '#2fa565' : '#e5554a'} stroke={colour.sheet} strokeWidth="1" />
    </svg>
    {isConnected ? 'Connected' : 'Disconnected'}
  </span>
)
