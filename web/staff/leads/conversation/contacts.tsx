import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { type CorrectedField, correctionForm } from '../../../../events/lead/correction.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { EditIcon } from '../../../ui/icons.tsx'
import { colour, space, type } from '../../../ui/theme.ts'
import { useUnsaved } from '../../drafts/unsaved.ts'
import { mailtoOf } from '../contact/answer.ts'
import { PhoneNumber } from '../contact/contact-links.tsx'
import { CopyButton, inLine } from '../contact/copy-button.tsx'
import { EmailText } from '../contact/email-text.tsx'
import { usePressContact } from '../contact/log-contact.tsx'
import { SHOWN_NAMES } from '../shown/labels.ts'
import type { PropertyChange } from './use-follow-up.ts'

/** Saves a change of the lead as it was. Resolves to the error for its field, if it has one. */
type Save = (change: PropertyChange, base: Lead) => Promise<string | undefined>

/** An open field: the text in it, and the lead as it was opened. */
type Edit = { typed: string; base: Lead; error?: string }

/**
 * A contact detail, which is edited in its place: saved by Enter, or if the field is left, and left as it was by Escape.
 */
const ContactField = (props: {
  lead: Lead
  name: CorrectedField
  onChange: Save
  input?: { type?: 'tel'; inputMode?: 'email' }
  /** The value as a link, and what else is next to it. */
  children: ReactNode
}) => {
  const { lead, name, onChange } = props
  const [edit, setEdit] = useState<Edit>()
  const button = useRef<HTMLButtonElement>(null)
  const returnsFocus = useRef(false)
  const isSaving = useRef(false)
  const isOpen = edit !== undefined
  useEffect(() => {
    if (isOpen || !returnsFocus.current) return
    returnsFocus.current = false
    button.current?.focus()
  }, [isOpen])
  useUnsaved(isOpen && edit.typed !== (edit.base[name] ?? ''), { onLeave: () => setEdit(undefined) })
  const settle = async () => {
    if (!edit || isSaving.current) return
    const typed = edit.typed.trim()
    if (typed === (edit.base[name] ?? '')) return setEdit(undefined)
    const checked = v.safeParse(correctionForm, { [name]: typed })
    isSaving.current = checked.success
    const error = checked.success ? await onChange(checked.output, edit.base) : checked.issues[0].message
    isSaving.current = false
    if (error) returnsFocus.current = false
    setEdit(error ? { ...edit, error } : undefined)
  }
  const label = SHOWN_NAMES[name]
  if (edit)
    return (
      <TextField
        id={`correct-${name}`}
        label={label}
        autoComplete="off"
        autoFocus
        {...props.input}
        {...(edit.error && { error: edit.error })}
        value={edit.typed}
        onChange={({ target }) => setEdit({ typed: target.value, base: edit.base })}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          event.preventDefault()
          returnsFocus.current = true
          if (event.key === 'Enter') settle()
          else setEdit(undefined)
        }}
        onBlur={() => {
          // a question about leaving leaves it open
          if (!document.querySelector('dialog[open]')) settle()
        }}
      />
    )
  return (
    <div>
      <span css={{ color: colour.soft, fontSize: type.small }}>{label}</span>
      <span css={{ display: 'flex', alignItems: 'center', gap: space.hair, minWidth: 0, overflowWrap: 'anywhere' }}>
        {props.children}
        <Button
          ref={button}
          look="quiet"
          aria-label={`${lead[name] ? 'Edit' : 'Add'} ${label.toLowerCase()}`}
          onClick={() => setEdit({ typed: lead[name] ?? '', base: lead })}
          css={[inLine, lead[name] ? { marginLeft: 'auto' } : { '&&': { paddingInline: 0 } }]}
        >
          {lead[name] ? <EditIcon /> : 'Add'}
        </Button>
      </span>
    </div>
  )
}

/** The number, which it calls, and the address, which opens in one's own mail program, each with a button that copies it. */
export const Contacts = ({ lead, onChange }: { lead: Lead; onChange: Save }) => {
  const press = usePressContact()
  const field = (name: CorrectedField) => ({ lead, name, onChange })
  return (
    <>
      <ContactField {...field('phone')} input={{ type: 'tel' }}>
        {lead.phone && (
          <>
            <PhoneNumber lead={lead} />
            <CopyButton name="the phone number" text={lead.phone} done="Phone number copied" />
          </>
        )}
      </ContactField>
      <ContactField {...field('email')} input={{ inputMode: 'email' }}>
        {lead.email && (
          <>
            <span css={{ minWidth: 0 }}>
              <a href={mailtoOf(lead.email)} onClick={press(lead, 'email', null)}>
                <EmailText email={lead.email} />
              </a>
            </span>
            <CopyButton name="the email address" text={lead.email} done="Email address copied" />
          </>
        )}
      </ContactField>
    </>
  )
}

/** The names of the person and of their company. */
export const Names = ({ lead, onChange }: { lead: Lead; onChange: Save }) =>
  (['name', 'company'] as const).map((name) => (
    <ContactField key={name} {...{ lead, name, onChange }}>
      {lead[name] && <bdi>{lead[name]}</bdi>}
    </ContactField>
  ))
