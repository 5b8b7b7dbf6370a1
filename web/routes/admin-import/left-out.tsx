import { nameOf } from '../../../events/base/name-of.ts'
import { LEFT_OUT_NAMES } from '../../../events/lead/import/import.ts'
import type { LeadImport } from '../../../events/lead/import/import-wire.ts'
import { counted } from '../../staff/leads/shown/labels.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { space, type } from '../../ui/theme.ts'
import { leftOutAddress, useLeftOut } from './imports.ts'
import { RowDetails, RowPages } from './row-details.tsx'

const Rows = ({ id }: { id: string }) => (
  <RowPages
    name="Rows that were left out"
    pages={useLeftOut(id)}
    numberOf={({ row }) => `Row ${row}`}
    describe={({ reason }) => nameOf(LEFT_OUT_NAMES, reason)}
  />
)

/**
 * The rows of an import that were left out, with the reasons, and a file of them to correct; nothing if there were
 * none.
 */
export const LeftOut = ({ found: { id, leftOut, hasLeftOutFile } }: { found: LeadImport }) => {
  if (leftOut === 0) return null
  return (
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: space.base, fontSize: type.small }}>
      <RowDetails summary={`Why ${counted(leftOut, 'row')} ${leftOut === 1 ? 'was' : 'were'} left out`}>
        <Rows id={id} />
      </RowDetails>
      {hasLeftOutFile && (
        <ButtonLink look="quiet" href={leftOutAddress(id)} download="rows-left-out.csv">
          Download these rows (CSV)
        </ButtonLink>
      )}
    </div>
  )
}
