import { colour, radius, unseen } from '../../ui/theme.ts'

const MAX_SHOWN = 99

/**
 * A count next to an entry of the navigation or of a list; renders nothing for 0. `alarm` is for stuck items. `label`
 * names the counted items for a screen reader: `waiting`. Above `max` it shows only that there are more.
 */
export const CountBadge = ({
  count,
  label,
  tone,
  max = MAX_SHOWN,
}: {
  count: number
  label: string
  tone: 'news' | 'alarm'
  max?: number
}) =>
  count > 0 ? (
    <span
      css={{
        display: 'inline-grid',
        placeItems: 'center',
        minWidth: '1.25rem',
        height: '1.25rem',
        padding: '0 0.3125rem',
        borderRadius: radius.round,
        background: tone === 'alarm' ? colour.bad : colour.accent,
        color: colour.onAccent,
        fontSize: '0.75rem',
        fontWeight: 700,
        lineHeight: 1,
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {count > max ? `${max}+` : count}
      <span css={unseen}> {label}</span>
    </span>
  ) : null
