import { useState } from 'react'
import * as v from 'valibot'
import { type ImportField, type ImportMapping, importMapping } from '../../../events/lead/import/import.ts'
import type { ImportCheck, ImportPreview } from '../../../events/lead/import/import-wire.ts'
import { FormProblem } from '../../staff/forms/form-problem.tsx'
import { counted } from '../../staff/leads/shown/labels.ts'
import { FetchFailure } from '../../staff/placeholder.tsx'
import { reasonOf } from '../../staff/requests/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/form/field.tsx'
import { colour, onPhone, space, type } from '../../ui/theme.ts'
import { ColumnChoices, FirstRows } from './columns.tsx'
import { startImport, useCheck } from './imports.ts'

/** So many rows are left out. */
const leftOut = (count: number) => `${counted(count, 'row')} ${count === 1 ? 'is' : 'are'} left out`

const SHOWN_ROWS = 10

type CountedRows = { count: number; rows: readonly number[] }

type Labels = ImportCheck['labels']

const RowList = ({ count, rows, labels }: CountedRows & { labels: Labels }) => (
  <ul css={{ marginTop: space.hair, color: colour.soft, fontSize: type.small }}>
    {rows.map((row) => (
      <li key={row} css={{ overflowWrap: 'anywhere' }}>
        <span css={{ display: 'inline-block', minWidth: '3.5rem', fontVariantNumeric: 'tabular-nums' }}>Row {row}</span>{' '}
        {labels[row]}
      </li>
    ))}
    {count > rows.length && <li>and {counted(count - rows.length, 'row')} more</li>}
  </ul>
)

/** The rows with a cell that is left out that are added all the same. */
const addedRows = ({ fresh, duplicates }: ImportCheck['badEmails'], addsDuplicates: boolean): CountedRows => {
  if (!addsDuplicates) return fresh
  const rows = [...fresh.rows, ...duplicates.rows].toSorted((a, b) => a - b).slice(0, SHOWN_ROWS)
  return { count: fresh.count + duplicates.count, rows }
}

/** The texts about a cell that is left out, for one row and for several. */
type BadWords = { is: string; one: string; several: string }

const WITHOUT = { one: 'it comes in without it', several: 'they come in without it' }
const BAD_EMAIL: BadWords = { is: 'an email address that is not one', ...WITHOUT }
const BAD_PHONE: BadWords = { is: 'a phone number that is not one', ...WITHOUT }
const NEW_ZERO: BadWords = {
  is: 'a phone number without its leading 0',
  one: 'it comes in with it',
  several: 'they come in with it',
}
const BAD_DATE: BadWords = {
  is: 'a date that cannot be read or is to come',
  one: 'it counts as received today',
  several: 'they count as received today',
}
const BAD_TIME: BadWords = {
  is: 'a time that cannot be read',
  one: 'it comes in with its date alone',
  several: 'they come in with their dates alone',
}

const BadRows = (props: { found: CountedRows; words: BadWords; labels: Labels }) => {
  const {
    found,
    words: { is, one, several },
    labels,
  } = props
  if (found.count === 0) return null
  return (
    <div>
      <p>{found.count === 1 ? `1 row has ${is}: ${one}.` : `${counted(found.count, 'row')} have ${is}: ${several}.`}</p>
      <RowList {...found} labels={labels} />
    </div>
  )
}

const Duplicates = (props: { reason: string; found: CountedRows; labels: Labels; addsDuplicates: boolean }) => {
  const { count } = props.found
  if (count === 0) return null
  return (
    <div>
      <p>
        {props.addsDuplicates ? counted(count, 'row') : leftOut(count)}: {props.reason} this email or phone.
      </p>
      <RowList {...props.found} labels={props.labels} />
    </div>
  )
}

/** Describes the leads that the rows would become, and the rows that are left out. */
const Outcome = ({ check, addsDuplicates }: { check: ImportCheck; addsDuplicates: boolean }) => (
  <div role="status" css={{ display: 'grid', gap: space.base, maxWidth: '44rem' }}>
    <div>
      <p css={{ fontSize: type.step, fontWeight: 600 }}>{counted(check.fresh, 'new lead')}</p>
      <p>Rows without a status come in as Contacted: no reply is due for them.</p>
    </div>
    <Duplicates
      reason="we already have"
      found={{ count: check.known, rows: check.knownRows }}
      labels={check.labels}
      addsDuplicates={addsDuplicates}
    />
    <Duplicates
      reason="an earlier row has"
      found={{ count: check.inFile, rows: check.inFileRows }}
      labels={check.labels}
      addsDuplicates={addsDuplicates}
    />
    {check.erased > 0 && <p>{leftOut(check.erased)}: their people were erased since the upload.</p>}
    {check.refused > 0 && (
      <div>
        <p>{leftOut(check.refused)}: no email address and no phone number that can be used.</p>
        <RowList count={check.refused} rows={check.problems.map(({ row }) => row)} labels={check.labels} />
      </div>
    )}
    <BadRows found={addedRows(check.badEmails, addsDuplicates)} words={BAD_EMAIL} labels={check.labels} />
    <BadRows found={addedRows(check.badPhones, addsDuplicates)} words={BAD_PHONE} labels={check.labels} />
    <BadRows found={addedRows(check.newZeros, addsDuplicates)} words={NEW_ZERO} labels={check.labels} />
    <BadRows found={addedRows(check.badDates, addsDuplicates)} words={BAD_DATE} labels={check.labels} />
    <BadRows found={addedRows(check.badTimes, addsDuplicates)} words={BAD_TIME} labels={check.labels} />
  </div>
)

const Begin = (props: {
  preview: ImportPreview
  mapping: ImportMapping
  onStarted: () => void
  onCancel: () => void
}) => {
  const { preview, mapping } = props
  const { data: check, error, mutate } = useCheck(preview.id, mapping)
  const [addsDuplicates, setAddsDuplicates] = useState(false)
  const [isStarting, setStarting] = useState(false)
  const [problem, setProblem] = useState<string>()
  const duplicates = (check?.known ?? 0) + (check?.inFile ?? 0)
  const total = (check?.fresh ?? 0) + (addsDuplicates ? duplicates : 0)
  const begin = async () => {
    if (isStarting || total === 0) return
    setStarting(true)
    try {
      await startImport(preview.id, mapping, addsDuplicates)
      props.onStarted()
    } catch (failure) {
      setProblem(reasonOf(failure))
      setStarting(false)
    }
  }
  return (
    <>
      {error && <FetchFailure title="Error checking the file" error={error} retry={() => mutate()} />}
      {!check && !error && <p role="status">Checking the rows...</p>}
      {check && <Outcome check={check} addsDuplicates={addsDuplicates} />}
      {duplicates > 0 && (
        <CheckField
          id="adds-duplicates"
          label="Import duplicates too"
          checked={addsDuplicates}
          onChange={({ target }) => setAddsDuplicates(target.checked)}
        />
      )}
      <FormProblem problem={problem} />
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.snug, [onPhone]: { display: 'grid' } }}>
        <Button aria-disabled={isStarting || total === 0} onClick={begin}>
          {isStarting ? 'Starting...' : !check && !error ? 'Checking...' : `Import ${counted(total, 'lead')}`}
        </Button>
        <Button look="outline" onClick={props.onCancel}>
          Choose another file
        </Button>
      </div>
    </>
  )
}

/** The content of a file, the mapping of its columns to fields, and the result of its rows. Nothing is added yet. */
export const Preview = (props: { preview: ImportPreview; onStarted: () => void; onCancel: () => void }) => {
  const { preview } = props
  const [mapping, setMapping] = useState<Partial<Record<ImportField, number>>>(preview.mapping)
  const [hasChosen, setChosen] = useState(false)
  const choose = (field: ImportField, column: number | undefined) => {
    setChosen(true)
    const { [field]: _, ...others } = mapping
    setMapping(column === undefined ? others : { ...others, [field]: column })
  }
  const read = v.safeParse(importMapping, mapping)
  return (
    <div css={{ display: 'grid', gap: space.roomy, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <h2 css={{ fontSize: type.step }}>{counted(preview.total, 'row')} found. Which column is which?</h2>
      <ColumnChoices preview={preview} mapping={mapping} onChoose={choose} />
      <FirstRows preview={preview} />
      {read.success ? (
        <Begin {...props} mapping={read.output} />
      ) : (
        <>
          {/* before a choice was made nothing is wrong yet */}
          <p {...(hasChosen && { role: 'alert', css: { color: colour.bad } })}>{read.issues[0].message}.</p>
          <div>
            <Button look="outline" onClick={props.onCancel}>
              Choose another file
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
