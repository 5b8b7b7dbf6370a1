import type { ReactNode } from 'react'
import { colour } from '../../../ui/theme.ts'

/** One fact about a lead, within a `dl`. */
export const Detail = ({ name, children }: { name: string; children: ReactNode }) => (
  <div css={{ minWidth: 0 }}>
    <dt css={{ color: colour.soft, fontSize: '0.8125rem' }}>{name}</dt>
    <dd css={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{children || 'N/A'}</dd>
  </div>
)
