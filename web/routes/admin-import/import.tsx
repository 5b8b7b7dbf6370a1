import { type ChangeEvent, useState } from 'react'
import { Link } from 'react-router'
import { inNumbers } from '../../../events/base/amount.ts'
import { MAX_IMPORT_BYTES, MAX_IMPORT_ROWS } from '../../../events/lead/import/import.ts'
import type { ImportPreview } from '../../../events/lead/import/import-wire.ts'
import { FormProblem } from '../../staff/forms/form-problem.tsx'
import { reasonOf } from '../../staff/requests/refusal.ts'
import { useTitle } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { control } from '../../ui/form/control.ts'
import { colour, space, type } from '../../ui/theme.ts'
import { refusalOf, sendFile } from './imports.ts'
import { PastImports } from './past-imports.tsx'
import { Preview } from './preview.tsx'

const FilePicker = ({ onRead }: { onRead: (preview: ImportPreview) => void }) => {
  const [problem, setProblem] = useState<string>()
  const [isReading, setReading] = useState(false)
  const pick = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (!file) return
    const refusal = refusalOf(file)
    setProblem(refusal)
    if (refusal === undefined) {
      setReading(true)
      await sendFile(file).then(onRead, (error) => setProblem(reasonOf(error)))
      setReading(false)
    }
    target.value = '' // the same file may be chosen again after a correction
  }
  return (
    <div css={{ display: 'grid', gap: space.tight, maxWidth: '32rem' }}>
      <label htmlFor="file" css={{ fontSize: type.small, fontWeight: 600 }}>
        CSV file
      </label>
      <input
        id="file"
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        disabled={isReading}
        aria-describedby="file-hint"
        onChange={pick}
        css={[control, { height: 'auto', padding: space.tight }]}
      />
      <p id="file-hint" css={{ color: colour.soft, fontSize: type.small }}>
        {isReading
          ? 'Reading the file...'
          : `The first line names the columns. At most ${MAX_IMPORT_BYTES / 1024 / 1024} MB and ${inNumbers(MAX_IMPORT_ROWS)} rows. Nothing is added before you have seen it.`}
      </p>
      <FormProblem problem={problem} />
    </div>
  )
}

/** The screen on which staff import the leads of a file: choose, preview, map, import; and undo it. */
export const ImportScreen = () => {
  useTitle('Import leads')
  const [preview, setPreview] = useState<ImportPreview>()
  const [chosenId, setChosenId] = useState<string>()
  const show = (read: ImportPreview) => {
    setPreview(read)
    setChosenId(read.id)
  }
  const close = () => setPreview(undefined)
  return (
    <>
      <TopBar title="Import leads">
        <Link to="/admin-dashboard">Back to the dashboard</Link>
      </TopBar>
      <div>
        {preview ? (
          <Preview key={preview.id} preview={preview} onStarted={close} onCancel={close} />
        ) : (
          <FilePicker onRead={show} />
        )}
      </div>
      <h2 css={{ margin: `${space.wide} 0 ${space.base}`, fontSize: type.step }}>Imports so far</h2>
      <PastImports chosenId={chosenId} />
    </>
  )
}
