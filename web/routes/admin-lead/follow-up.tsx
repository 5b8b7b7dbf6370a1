import { useState } from 'react'
import { nameOf } from '../../../events/base/name-of.ts'
import { FOLLOW_UP_STATUSES, type FollowUpStatus } from '../../../events/lead/follow-up.ts'
import { STATUS_NAMES } from '../../../events/lead/labels.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { FORMER_COLLEAGUE } from '../../../events/staff/staff.ts'
import type { Colleague } from '../../../events/staff/wire.ts'
import { useColleagues } from '../../staff/colleagues.ts'
import { FIRST_DAY, LAST_DAY } from '../../staff/day.ts'
import { DraftNote } from '../../staff/drafts.tsx'
import { StaffFace } from '../../staff/staff-face.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { from, space } from '../../ui/theme.ts'
import { Choice } from './choice.tsx'
import { ClashPanel } from './clash-panel.tsx'
import { focusPanel, Panel } from './panel.tsx'
import { ProjectValueField } from './project-value.tsx'
import { hasValueField, useFollowUp } from './use-follow-up.ts'

type FieldsProps = Pick<ReturnType<typeof useFollowUp>, 'values' | 'edit'> & {
  /** The value that the lead has while another one is typed. */
  stored: number | null
  /** How often typed text was discarded: a field that has its own text starts again. */
  discards: number
  colleagues: readonly Colleague[]
}

const Fields = ({ values, stored, edit, discards, colleagues }: FieldsProps) => {
  const statuses = [...new Set([...FOLLOW_UP_STATUSES, values.followUpStatus])]
  const isUnknownOwner = values.ownerId !== null && !colleagues.some(({ id }) => id === values.ownerId)
  return (
    <div css={{ display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}>
      <Choice
        id="status"
        label="Status"
        value={values.followUpStatus}
        choices={statuses.map((value) => ({ value, label: nameOf(STATUS_NAMES, value) }))}
        onChoose={(value) => edit({ followUpStatus: value as FollowUpStatus })}
      />
      <Choice
        id="owner"
        label="Owner"
        value={values.ownerId ?? ''}
        before={<StaffFace id={values.ownerId} sizePx={32} />}
        choices={[
          { value: '', label: 'Unassigned' },
          ...colleagues.map(({ id, displayName }) => ({ value: id, label: displayName })),
          ...(isUnknownOwner ? [{ value: values.ownerId ?? '', label: FORMER_COLLEAGUE }] : []),
        ]}
        onChoose={(value) => edit({ ownerId: value || null })}
      />
      <TextField
        id="next-action"
        label="Next action"
        type="date"
        min={FIRST_DAY}
        max={LAST_DAY}
        value={values.nextActionDate ?? ''}
        onChange={({ target }) => edit({ nextActionDate: target.value || null })}
      />
      {hasValueField(values.followUpStatus, values.projectValue ?? stored) && (
        <ProjectValueField
          key={discards}
          value={values.projectValue}
          onChange={(projectValue) => edit({ projectValue })}
        />
      )}
      {values.followUpStatus === 'won' && (
        <TextField
          id="conversion-date"
          label="Conversion date"
          type="date"
          min={FIRST_DAY}
          max={LAST_DAY}
          value={values.conversionDate ?? ''}
          onChange={({ target }) => edit({ conversionDate: target.value || null })}
        />
      )}
    </div>
  )
}

/** The editable follow-up of the lead: status, owner, next action, and its value and date once it is won. */
export const FollowUpForm = (props: { lead: Lead; accountId: string; onSaved: (lead?: Lead) => void }) => {
  const { lead, accountId, onSaved } = props
  const { data: colleagues = [] } = useColleagues()
  const form = useFollowUp(lead, { accountId, onSaved })
  const { values, edit } = form
  const [discards, setDiscards] = useState(0)
  const discard = () => {
    form.discard()
    setDiscards(discards + 1)
    focusPanel('follow-up')
  }
  return (
    <Panel id="follow-up" title="Follow-up">
      {form.clash && (
        <ClashPanel
          clash={form.clash}
          colleagues={colleagues}
          isSaving={form.isSaving}
          onKeepTheirs={form.keepTheirs}
          onUseMine={form.useMine}
        />
      )}
      <form
        aria-label="Follow-up"
        onSubmit={(event) => {
          event.preventDefault()
          if (form.isEdited) form.save()
        }}
        css={{ display: 'grid', gap: space.base }}
      >
        <Fields values={values} stored={lead.projectValue} edit={edit} discards={discards} colleagues={colleagues} />
        <DraftNote isShown={form.isRestored} />
        <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
          <Button type="submit" aria-disabled={!form.isEdited || form.isSaving}>
            {form.isSaving ? 'Saving...' : 'Save'}
          </Button>
          {form.isEdited && !form.isSaving && (
            <Button look="outline" onClick={discard}>
              Discard
            </Button>
          )}
        </div>
      </form>
    </Panel>
  )
}
