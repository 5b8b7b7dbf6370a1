import { Global } from '@emotion/react'
import { Link, useLocation } from 'react-router'
import { inNumbers } from '../../../../events/base/amount.ts'
import { STATUS_NAMES } from '../../../../events/lead/labels.ts'
import type { Stage } from '../../../../events/lead/screens/pipeline.ts'
import { colour, from, onPhone, space, type } from '../../../ui/theme.ts'
import { stageTitleId } from './stage.tsx'

const link = {
  display: 'flex',
  alignItems: 'center',
  gap: space.hair,
  minHeight: '2.75rem',
  padding: `0 ${space.tight}`,
  color: colour.ink,
  fontSize: type.small,
  fontWeight: 600,
  textDecoration: 'none',
  whiteSpace: 'nowrap',
} as const

/** On a phone, where the stages are one long column: links to each, always visible. */
export const StageLinks = ({ stages }: { stages: readonly Stage[] }) => {
  const { search } = useLocation()
  return (
    <nav
      aria-label="Stages"
      css={{
        position: 'sticky',
        zIndex: 1,
        top: 'var(--top, 0px)',
        display: 'flex',
        justifyContent: 'space-between',
        margin: `${space.base} -${space.base} 0`,
        padding: `0 ${space.tight}`,
        overflowX: 'auto',
        background: colour.paper,
        borderBottom: `1px solid ${colour.line}`,
        [from.medium]: { display: 'none' },
      }}
    >
      {/* the target of a link is scrolled to below the row */}
      <Global styles={{ html: { [onPhone]: { scrollPaddingTop: 'calc(var(--top, 0px) + 4rem)' } } }} />
      {stages.map(({ status, leads }) => (
        <Link
          key={status}
          replace
          to={{ search, hash: `#${stageTitleId(status)}` }}
          onClick={() => document.getElementById(stageTitleId(status))?.focus({ preventScroll: true })}
          css={link}
        >
          {STATUS_NAMES[status]} <span css={{ color: colour.soft, fontWeight: 400 }}>{inNumbers(leads)}</span>
        </Link>
      ))}
    </nav>
  )
}
