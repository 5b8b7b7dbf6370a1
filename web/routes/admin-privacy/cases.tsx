import type * as v from 'valibot'
import { nameOf } from '../../../events/base/name-of.ts'
import { CASE_KINDS, type CaseKind, caseForm } from '../../../events/privacy/case.ts'
import type { PrivacyCase, Subject } from '../../../events/privacy/wire.ts'
import { FORMER_COLLEAGUE } from '../../../events/staff/staff.ts'
import { serverNow } from '../../client/server-time.ts'
import { dayInShort, dayOf } from '../../staff/day.ts'
import { DialogButton } from '../../staff/forms/dialog-button.tsx'
import { FormDialog } from '../../staff/forms/form-dialog.tsx'
import { useStaffForm } from '../../staff/forms/use-staff-form.ts'
import { FetchFailure } from '../../staff/placeholder.tsx'
import { CASE_NAMES, finishCase, openCase, usePrivacyCases } from '../../staff/privacy/privacy-cases.ts'
import { useBusy } from '../../staff/requests/use-busy.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { colour, panel, space, type } from '../../ui/theme.ts'

const CHOICES = CASE_KINDS.map((value: CaseKind) => ({ value, label: CASE_NAMES[value] }))

const Question = ({ subject, name, onClose }: { subject?: Subject; name?: string; onClose: () => void }) => {
  const form = useStaffForm(caseForm, {
    defaultValues: {
      kind: 'access',
      from: name ?? '',
      note: '',
      receivedOn: dayOf(serverNow()),
      ...(subject && { subjectId: subject.id }),
    },
    send: async (filled: v.InferOutput<typeof caseForm>) => {
      await openCase(filled)
      onClose()
    },
  })
  return (
    <FormDialog title="Note a request" action="Note it" busyAction="Saving..." form={form} onClose={onClose}>
      <p>A person may ask what is held, and have it corrected or erased. The reply is due within 30 days.</p>
      <SelectField id="case-kind" label="The person asks for" choices={CHOICES} required {...form.field('kind')} />
      <TextField id="case-from" label="From" autoComplete="off" required {...form.field('from')} />
      <TextField id="case-received" type="date" label="Received on" required {...form.field('receivedOn')} />
      <TextAreaField id="case-note" label="In their words" rows={3} {...form.field('note')} />
    </FormDialog>
  )
}

/** Lets an owner note a request of a person. */
export const NoteRequest = (about: { subject?: Subject; name?: string }) => (
  <DialogButton look="outline" dialog={(close) => <Question {...about} onClose={close} />}>
    Note a request
  </DialogButton>
)

const Case = ({ found }: { found: PrivacyCase }) => {
  const { isBusy, run } = useBusy('The request was not marked as done')
  const { id, kind, from, note, receivedOn, dueOn, doneAt, doneBy } = found
  return (
    <li
      css={{
        display: 'flex',
        alignItems: 'start',
        justifyContent: 'space-between',
        gap: space.base,
        padding: `${space.snug} ${space.base}`,
        borderTop: `1px solid ${colour.line}`,
        ':first-of-type': { borderTop: 0 },
      }}
    >
      <div css={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <p>
          <b css={{ fontWeight: 600 }}>{nameOf(CASE_NAMES, kind)}</b>, {from ?? 'an erased person'}
        </p>
        <p css={{ color: colour.soft, fontSize: type.small }}>
          Received on {dayInShort(receivedOn)}.{' '}
          {doneAt
            ? `Done on ${dayInShort(dayOf(doneAt))} by ${doneBy ?? FORMER_COLLEAGUE}.`
            : `Due on ${dayInShort(dueOn)}.`}
        </p>
        {note && <p css={{ fontSize: type.small, whiteSpace: 'pre-line' }}>{note}</p>}
      </div>
      {!doneAt && (
        <Button
          look="quiet"
          aria-disabled={isBusy}
          aria-label={`Done: ${from ?? kind}`}
          onClick={() => run(() => finishCase(id))}
        >
          Done
        </Button>
      )}
    </li>
  )
}

export const PrivacyCases = () => {
  const { data, error, mutate } = usePrivacyCases()
  if (error && !data) return <FetchFailure title="Error loading the requests" error={error} retry={() => mutate()} />
  return (
    <section
      aria-labelledby="requests"
      css={{ display: 'grid', justifyItems: 'start', gap: space.tight, maxWidth: '56rem' }}
    >
      <h2 id="requests" css={{ fontSize: type.step }}>
        Requests
      </h2>
      <p css={{ color: colour.soft, fontSize: type.small }}>
        Each is due 30 days after it came. Today shows it when 7 days are left.
      </p>
      <NoteRequest />
      {data && data.length > 0 && (
        <ul aria-label="Requests" css={{ justifySelf: 'stretch', ...panel }}>
          {data.map((found) => (
            <Case key={found.id} found={found} />
          ))}
        </ul>
      )}
    </section>
  )
}
