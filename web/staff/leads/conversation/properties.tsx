import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { nameOf } from '../../../../events/base/name-of.ts'
import { FOLLOW_UP_STATUSES, type FollowUpStatus } from '../../../../events/lead/follow-up/follow-up.ts'
import { STATUS_NAMES } from '../../../../events/lead/labels.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { FORMER_COLLEAGUE } from '../../../../events/staff/staff.ts'
import { Labelled, TextField } from '../../../ui/form/field.tsx'
import { colour, space, type, unseen } from '../../../ui/theme.ts'
import { useColleagues } from '../../account/colleagues.ts'
import { StaffFace } from '../../account/staff-face.tsx'
import { dayOf, FIRST_DAY, LAST_DAY, noonOf } from '../../day.ts'
import { Select } from '../../forms/select.tsx'
import { ClashPanel } from './clash-panel.tsx'
import { Contacts, Names } from './contacts.tsx'
import { ProjectValueField } from './project-value.tsx'
import { property } from './property.ts'
import { hasValueField, useProperties } from './use-follow-up.ts'

const field = {
  ...property,
  '& > label': { color: colour.soft, fontSize: type.small, fontWeight: 400 },
  '& > p': { gridColumn: 2, margin: 0 },
} as const

const fields = { display: 'grid', gap: space.hair, '& > div': field } as const

/**
 * A day that is saved once it is complete: at once if it is picked, otherwise when the field is left, or by Enter. A
 * day that is being typed has other years before the right one.
 */
const DayField = (props: { id: string; label: string; day: string | null; onChange: (day: string | null) => void }) => {
  const { id, label, day, onChange } = props
  const [typed, setTyped] = useState<string>()
  const [isTyping, setTyping] = useState(false)
  const settle = (input: HTMLInputElement) => {
    setTyping(false)
    if (typed === undefined || !input.reportValidity()) return
    setTyped(undefined)
    if ((typed || null) !== day) onChange(typed || null)
  }
  const input = useRef<HTMLInputElement>(null)
  const settleLast = useEffectEvent((last: HTMLInputElement | null) => {
    if (last) settle(last)
  })
  // a field that goes away with its screen is not left first
  useEffect(() => {
    const last = input.current
    return () => settleLast(last)
  }, [])
  return (
    <TextField
      id={id}
      label={label}
      ref={input}
      type="date"
      min={FIRST_DAY}
      max={LAST_DAY}
      value={typed ?? day ?? ''}
      onKeyDown={({ key, currentTarget }) => (key === 'Enter' ? settle(currentTarget) : setTyping(key !== 'Tab'))}
      onBlur={({ currentTarget }) => settle(currentTarget)}
      onChange={({ target }) => {
        if (isTyping || !target.validity.valid) return setTyped(target.value)
        onChange(target.value || null)
      }}
    />
  )
}

/** The value, saved when the field is left, or by Enter. One that cannot be read stays as it was typed. */
const ValueField = ({ value, onChange }: { value: number | null; onChange: (value: number | null) => void }) => {
  const [typed, setTyped] = useState<{ rand: number | null }>()
  const settle = () => {
    if (typed && typed.rand !== value) onChange(typed.rand)
    setTyped(undefined)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the field in it
    <div css={{ '& > div': field }} onBlur={settle} onKeyDown={({ key }) => key === 'Enter' && settle()}>
      <ProjectValueField label="Value (R)" value={typed ? typed.rand : value} onChange={(rand) => setTyped({ rand })} />
    </div>
  )
}

type Props = { lead: Lead; accountId: string; onSaved: (lead?: Lead) => void }

/** How to reach a lead's person, and the work on it. Each property is saved as it is changed. */
export const Properties = ({ lead, accountId, onSaved }: Props) => {
  const { data: colleagues = [] } = useColleagues()
  const { values, change, clash, isSaving, useMine, keepTheirs } = useProperties(lead, { accountId, onSaved })
  const statuses = [...new Set([...FOLLOW_UP_STATUSES, values.followUpStatus])]
  const isUnknownOwner = values.ownerId !== null && !colleagues.some(({ id }) => id === values.ownerId)
  return (
    <section aria-labelledby="details-title" css={{ display: 'grid', gap: space.hair }}>
      <h2 id="details-title" tabIndex={-1} css={unseen}>
        Details
      </h2>
      {clash && (
        <ClashPanel
          clash={clash}
          colleagues={colleagues}
          isSaving={isSaving}
          onKeepTheirs={keepTheirs}
          onUseMine={useMine}
        />
      )}
      <div css={fields}>
        <Contacts lead={lead} onChange={change} />
        <Labelled id="status" label="Status">
          <Select
            id="status"
            value={values.followUpStatus}
            choices={statuses.map((value) => [value, nameOf(STATUS_NAMES, value)])}
            onChoose={(value) => change({ followUpStatus: value as FollowUpStatus })}
          />
        </Labelled>
        <Labelled id="owner" label="Assigned to">
          <div css={{ display: 'flex', alignItems: 'center', gap: space.tight }}>
            <StaffFace id={values.ownerId} sizePx={20} />
            <Select
              id="owner"
              none="Unassigned"
              value={values.ownerId ?? ''}
              choices={[
                ...colleagues.map(({ id, displayName }) => [id, displayName] as const),
                ...(isUnknownOwner ? [[values.ownerId ?? '', FORMER_COLLEAGUE] as const] : []),
              ]}
              onChoose={(value) => change({ ownerId: value || null })}
            />
          </div>
        </Labelled>
        <DayField
          id="next-action"
          label="Remind me on"
          day={values.nextActionDate}
          onChange={(nextActionDate) => change({ nextActionDate })}
        />
        {values.followUpStatus === 'won' && (
          <DayField
            id="conversion-date"
            label="Conversion date"
            day={values.conversionDate && dayOf(values.conversionDate)}
            onChange={(day) => change({ conversionDate: day && noonOf(day).toISOString() })}
          />
        )}
      </div>
      {hasValueField(values.followUpStatus, values.projectValue) && (
        <ValueField value={values.projectValue} onChange={(projectValue) => change({ projectValue })} />
      )}
      <div css={fields}>
        <Names lead={lead} onChange={change} />
      </div>
    </section>
  )
}
