import { useState } from 'react'
import { inNumbers } from '../../../events/base/amount.ts'
import { nameOf } from '../../../events/base/name-of.ts'
import { BAD_CELL_NAMES, LEFT_OUT_NAMES } from '../../../events/lead/import/import.ts'
import type { ImportWork, LeadImport } from '../../../events/lead/import/import-wire.ts'
import { FORMER_COLLEAGUE } from '../../../events/staff/staff.ts'
import { momentOf } from '../../staff/day.ts'
import { counted } from '../../staff/leads/shown/labels.ts'
import { PlainLink } from '../../staff/leads/shown/plain-link.tsx'
import { FetchFailure, Pending } from '../../staff/placeholder.tsx'
import { useBusy } from '../../staff/requests/use-busy.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { colour, panel, space, type } from '../../ui/theme.ts'
import { Added } from './added.tsx'
import {
  isUnderWay,
  leftOutAddress,
  undoImport,
  useImports,
  useImportWork,
  useIncomplete,
  useLeftOut,
} from './imports.ts'
import { RowDetails, RowPages } from './row-details.tsx'

const LeftOutRows = ({ id }: { id: string }) => (
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
const LeftOut = ({ found: { id, leftOut, hasLeftOutFile } }: { found: LeadImport }) => {
  if (leftOut === 0) return null
  return (
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: space.base, fontSize: type.small }}>
      <RowDetails summary={`Why ${inNumbers(leftOut)} ${leftOut === 1 ? 'was' : 'were'} left out`}>
        <LeftOutRows id={id} />
      </RowDetails>
      {hasLeftOutFile && (
        <ButtonLink look="quiet" href={leftOutAddress(id)} download="rows-left-out.csv">
          Download these rows (CSV)
        </ButtonLink>
      )}
    </div>
  )
}

const IncompleteRows = ({ id }: { id: string }) => (
  <RowPages
    name="Leads that came in without something"
    pages={useIncomplete(id)}
    numberOf={({ row, leadId }) => <PlainLink leadId={leadId}>Row {row}</PlainLink>}
    describe={({ cells }) => `without its ${cells.map((cell) => nameOf(BAD_CELL_NAMES, cell)).join(', ')}`}
  />
)

/** The leads of an import that were added without an unusable cell; nothing if all are complete. */
const Incomplete = ({ found: { id, incomplete } }: { found: LeadImport }) =>
  incomplete > 0 && (
    <div css={{ fontSize: type.small }}>
      <RowDetails summary={`What ${counted(incomplete, 'lead')} came in without`}>
        <IncompleteRows id={id} />
      </RowDetails>
    </div>
  )

const stateInWords = ({ state, added, skipped, refused, total, done }: LeadImport): string => {
  const left = skipped + refused
  switch (state) {
    case 'running':
      return `Importing: ${inNumbers(done)} of ${counted(total, 'row')}`
    case 'undoing':
      return `Undoing: ${inNumbers(done)} of ${counted(total, 'row')}`
    case 'undone':
      return `Undone: ${counted(added, 'lead')} removed`
    case 'failed':
      return `The import failed after ${inNumbers(done)} of ${counted(total, 'row')}: ${counted(added, 'lead')} added. Upload the file again for the others.`
    default:
      return `${counted(added, 'lead')} added${left > 0 ? `, ${inNumbers(left)} left out` : ''}`
  }
}

const workInWords = ({ changed, noted, answered, merged }: ImportWork): string =>
  [
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(noted > 0 ? [`${noted} with notes`] : []),
    ...(answered > 0 ? [`${answered} answered`] : []),
    ...(merged > 0 ? [`${merged} merged into another lead`] : []),
  ].join(', ')

/** The work that an undo discards, shown before it is requested. */
const WorkSince = ({ id }: { id: string }) => {
  const { data, error, mutate } = useImportWork(id)
  if (error && !data)
    return <FetchFailure title="Error counting the work on these leads" error={error} retry={() => mutate()} />
  if (!data) return <p role="status">Counting the work on these leads...</p>
  if (data.leads === 0) return <p>No one has worked on them yet.</p>
  return (
    <p css={{ fontWeight: 600 }}>
      Staff have worked on {counted(data.leads, 'lead')} of them: {workInWords(data)}. Statuses, values, notes and
      answers on them are lost for good, and so is what other leads show of them. Emails that went out stay in their
      inboxes.
    </p>
  )
}

const Undo = ({ found }: { found: LeadImport }) => {
  const [isAsking, setAsking] = useState(false)
  const { isBusy, run } = useBusy('The import was not undone')
  const undo = () => run(() => undoImport(found.id).then(() => setAsking(false)))
  return (
    <>
      <Button
        look="quiet"
        aria-label={`Undo the import of ${momentOf(found.createdAt)}`}
        onClick={() => setAsking(true)}
      >
        Undo
      </Button>
      {isAsking && (
        <Dialog title="Undo this import?" isHeld={isBusy} onClose={() => setAsking(false)}>
          <p>{counted(found.added, 'lead')} will be removed for good. The other leads stay as they are.</p>
          <WorkSince id={found.id} />
          <DialogActions>
            <Button aria-disabled={isBusy} onClick={undo}>
              {isBusy ? 'Undoing...' : 'Undo import'}
            </Button>
            <Button look="outline" onClick={() => setAsking(false)}>
              Cancel
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

/** One import. If it was begun or was running on this screen, its leads are shown as soon as they are there. */
const PastImport = ({ found, isStartedHere }: { found: LeadImport; isStartedHere: boolean }) => {
  const [wasUnderWay] = useState(isUnderWay(found))
  return (
    <li
      css={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: space.tight, padding: space.base, ...panel }}
    >
      <div css={{ display: 'flex', alignItems: 'start', justifyContent: 'space-between', gap: space.base }}>
        {/* announced once it is over: each step would be read out */}
        <p {...(!isUnderWay(found) && { role: 'status' })} css={{ paddingBlock: '0.375rem', fontWeight: 600 }}>
          {stateInWords(found)}
        </p>
        {found.mayUndo && <Undo found={found} />}
      </div>
      <p css={{ color: colour.soft, fontSize: type.small }}>
        {found.by ?? FORMER_COLLEAGUE}, {momentOf(found.createdAt)}
      </p>
      {isUnderWay(found) && (
        <progress
          aria-label="Rows done"
          max={found.total}
          value={found.done}
          css={{ width: '100%', accentColor: colour.accent }}
        />
      )}
      {(found.state === 'done' || found.state === 'failed') && (
        <>
          <LeftOut found={found} />
          <Incomplete found={found} />
          {/* below the others: it may be open, and long */}
          <Added found={found} isOpen={isStartedHere || wasUnderWay} />
        </>
      )}
    </li>
  )
}

/**
 * The imports so far, newest first: their progress, their results, and their undo. `chosenId` is that of the file that
 * was chosen last on this screen, begun or not.
 */
export const PastImports = ({ chosenId }: { chosenId: string | undefined }) => {
  const { data, error, mutate } = useImports()
  if (!data) return <Pending what="the imports" isLoading error={error} retry={() => mutate()} />
  if (data.length === 0) return <p css={{ color: colour.soft }}>Nothing has been imported yet.</p>
  return (
    <ul aria-label="Imports" css={{ display: 'grid', gap: space.base }}>
      {data.map((found) => (
        <PastImport key={found.id} found={found} isStartedHere={found.id === chosenId} />
      ))}
    </ul>
  )
}
