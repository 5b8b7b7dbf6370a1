import type * as v from 'valibot'
import { exportForm } from '../../../events/privacy/export.ts'
import type { PersonExport, Subject } from '../../../events/privacy/wire.ts'
import { FORMER_COLLEAGUE } from '../../../events/staff/staff.ts'
import { dayInShort, dayOf, momentOf } from '../../staff/day.ts'
import { DialogButton } from '../../staff/forms/dialog-button.tsx'
import { FormDialog } from '../../staff/forms/form-dialog.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { FetchFailure } from '../../staff/placeholder.tsx'
import { useBusy } from '../../staff/requests/use-busy.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField, TextAreaField } from '../../ui/form/field.tsx'
import { colour, panel, space, type } from '../../ui/theme.ts'
import { downloadExport, requestExport, usePersonExports } from './people.ts'

const Question = ({ subject, name, onClose }: { subject: Subject; name: string; onClose: () => void }) => {
  const form = useStaffForm(exportForm, {
    defaultValues: { kind: subject.kind, hasNotes: true, reason: '' },
    send: async ({ hasNotes, reason }: v.InferOutput<typeof exportForm>) => {
      await requestExport(subject, { hasNotes, reason })
      onClose()
    },
  })
  const isWithoutNotes = form.watch('hasNotes') === false
  return (
    <FormDialog
      title={`Export the data of ${name}?`}
      action="Make the export"
      busyAction="Asking..."
      form={form}
      onClose={onClose}
    >
      <p>
        One ZIP with a page to read, the same as data, and all files. It is stored encrypted for some days, and each
        download is noted in the log.
      </p>
      <CheckField id="export-notes" label="Include the notes by staff, marked as such" {...form.field('hasNotes')} />
      {isWithoutNotes && (
        <TextAreaField
          id="export-reason"
          label="Why are the notes left out?"
          hint="The export names the reason."
          rows={2}
          required
          {...form.field('reason')}
        />
      )}
    </FormDialog>
  )
}

export const ExportPerson = (about: { subject: Subject; name: string }) => (
  <DialogButton look="outline" dialog={(close) => <Question {...about} onClose={close} />}>
    Export
  </DialogButton>
)

const MIB = 1024 * 1024

const sizeInWords = (bytes: number) =>
  bytes < MIB ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / MIB).toFixed(1)} MB`

const stateInWords = ({ state, size, deletedAt, hasNotes }: PersonExport) => {
  const notes = hasNotes ? '' : ', without notes'
  if (state === 'ready') return `Ready, ${sizeInWords(size)}${notes}. Deleted on ${dayInShort(dayOf(deletedAt))}.`
  return state === 'failed' ? 'This export could not be made. Ask for it again.' : `Being made${notes}...`
}

const StoredExport = ({ found }: { found: PersonExport }) => {
  const { isBusy, run } = useBusy('The export was not downloaded')
  return (
    <li css={{ display: 'grid', gap: space.hair, padding: `${space.snug} ${space.base}`, ...panel }}>
      <div css={{ display: 'flex', alignItems: 'start', justifyContent: 'space-between', gap: space.base }}>
        {/* announced once it is over: each step would be read out */}
        <p {...(found.state !== 'waiting' && { role: 'status' })} css={{ fontWeight: 600 }}>
          {stateInWords(found)}
        </p>
        {found.state === 'ready' && (
          <Button look="quiet" aria-disabled={isBusy} onClick={() => run(() => downloadExport(found.id))}>
            Download
          </Button>
        )}
      </div>
      <p css={{ color: colour.soft, fontSize: type.small }}>
        {found.by ?? FORMER_COLLEAGUE}, {momentOf(found.requestedAt)}
      </p>
      {found.state === 'waiting' && (
        <progress
          aria-label="Export"
          max={1}
          value={found.progress}
          css={{ width: '100%', accentColor: colour.accent }}
        />
      )}
    </li>
  )
}

export const PersonExports = ({ id }: { id: string }) => {
  const { data, error, mutate } = usePersonExports(id)
  if (error && !data) return <FetchFailure title="Error loading the exports" error={error} retry={() => mutate()} />
  if (!data || data.length === 0) return null
  return (
    <ul aria-label="Exports" css={{ display: 'grid', gap: space.tight }}>
      {data.map((found) => (
        <StoredExport key={found.id} found={found} />
      ))}
    </ul>
  )
}
