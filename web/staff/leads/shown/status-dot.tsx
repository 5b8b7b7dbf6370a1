import type { ReactNode } from 'react'
import { nameOf, valueFor } from '../../../../events/base/name-of.ts'
import type { FollowUpStatus } from '../../../../events/lead/follow-up/follow-up.ts'
import { STATUS_NAMES } from '../../../../events/lead/labels.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { colour } from '../../../ui/theme.ts'

const ring = <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />

const SHAPES: Record<FollowUpStatus, ReactNode> = {
  new: <circle cx="5" cy="5" r="4.5" fill={colour.accent} />,
  contacted: (
    <>
      {ring}
      <path d="M5 1a4 4 0 0 0 0 8z" fill="currentColor" />
    </>
  ),
  quoted: (
    <>
      {ring}
      <path d="M5 1a4 4 0 0 1 0 8z" fill="currentColor" />
    </>
  ),
  won: <path d="M1 5.5 4 8.5 9 2" fill="none" stroke={colour.good} strokeWidth="2" />,
  lost: <path d="M1 5h8" fill="none" stroke="currentColor" strokeWidth="2" />,
}

/** The follow-up status of a lead as a shape, with its name on hover. */
export const StatusDot = ({ status }: { status: Lead['followUpStatus'] }) => {
  const name = nameOf(STATUS_NAMES, status)
  return (
    <svg role="img" aria-label={name} viewBox="0 0 10 10" width="10" height="10" style={{ flex: 'none' }}>
      <title>{name}</title>
      {valueFor(SHAPES, status) ?? ring}
    </svg>
  )
}
