import type { Lead } from '../../../../events/lead/wire.ts'
import { colour, radius, space } from '../../../ui/theme.ts'
import { FlagReasons } from '../quarantine/flag-reasons.tsx'
import { ReleaseButton } from '../quarantine/release-button.tsx'

/** Shows why a lead is in quarantine, and releases it. */
export const Flagged = ({ lead, onReleased }: { lead: Lead; onReleased: () => void }) => (
  <div
    css={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      justifyContent: 'space-between',
      gap: space.base,
      marginTop: space.base,
      padding: space.base,
      borderRadius: radius.card,
      background: colour.sunk,
    }}
  >
    <p>
      In quarantine. <FlagReasons lead={lead} />
    </p>
    <ReleaseButton lead={lead} onReleased={onReleased} />
  </div>
)
