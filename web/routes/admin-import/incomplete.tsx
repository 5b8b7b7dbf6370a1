import { nameOf } from '../../../events/base/name-of.ts'
import { BAD_CELL_NAMES } from '../../../events/lead/import/import.ts'
import type { LeadImport } from '../../../events/lead/import/import-wire.ts'
import { counted } from '../../staff/leads/shown/labels.ts'
import { PlainLink } from '../../staff/leads/shown/plain-link.tsx'
import { type } from '../../ui/theme.ts'
import { useIncomplete } from './imports.ts'
import { RowDetails, RowPages } from './row-details.tsx'

const Rows = ({ id }: { id: string }) => (
  <RowPages
    name="Leads that came in without something"
    pages={useIncomplete(id)}
    numberOf={({ row, leadId }) => <PlainLink leadId={leadId}>Row {row}</PlainLink>}
    describe={({ cells }) => `without its ${cells.map((cell) => nameOf(BAD_CELL_NAMES, cell)).join(', ')}`}
  />
)

/** The leads of an import that were added without an unusable cell; nothing if all are complete. */
export const Incomplete = ({ found: { id, incomplete } }: { found: LeadImport }) =>
  incomplete > 0 && (
    <div css={{ fontSize: type.small }}>
      <RowDetails summary={`What ${counted(incomplete, 'lead')} came in without`}>
        <Rows id={id} />
      </RowDetails>
    </div>
  )
