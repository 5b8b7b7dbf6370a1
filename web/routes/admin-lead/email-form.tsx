import { useEffect, useEffectEvent, useRef, useState } from 'react'
import * as v from 'valibot'
import { answerEmailForm } from '../../../events/lead-answer.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import type { Settings } from '../../../events/wire/settings.ts'
import { DraftNotice } from '../../staff/draft-notice.tsx'
import { staffDraft } from '../../staff/drafts.ts'
import { FormProblem } from '../../staff/form-problem.tsx'
import { emailSender, type WrittenEmail } from '../../staff/leads/answer.ts'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { Button } from '../../ui/button.tsx'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { Choice } from './choice.tsx'

type Templates = Settings['answerTemplates']['emails']

/** An email that an account has begun to write to the person of a lead. */
export const emailDraft = (accountId: string, leadId: string) =>
  staffDraft(
    accountId,
    `lead-${leadId}-email`,
    v.object({ template: v.string(), subject: v.string(), text: v.string() }),
  )

/**
 * Where staff write an email to the person of a lead: from a template, with their words in it, to be changed before it is
 * sent. What was typed stays until it is stored, on the device too; `onDirty` hears whether there is such.
 */
export const EmailForm = (props: {
  lead: Lead
  draft: ReturnType<typeof emailDraft>
  templates: Templates
  fill: (template: string) => string
  onDirty: (isDirty: boolean) => void
  onSent: (lead: Lead) => void
  onClose: () => void
}) => {
  const { lead, draft, templates, fill, onDirty, onSent } = props
  const [send] = useState(() => emailSender(lead.id, draft.keyFor))
  const [before] = useState(() => draft.read())
  const filled = (name: string): WrittenEmail => {
    const template = templates.find((each) => each.name === name)
    return { subject: fill(template?.subject ?? ''), text: fill(template?.text ?? '') }
  }
  const [chosen, setChosen] = useState(before?.template ?? templates[0]?.name ?? '')
  const form = useStaffForm(answerEmailForm, {
    defaultValues: filled(chosen),
    send: async (email) => {
      const answered = await send(email)
      draft.discard()
      onSent(answered)
    },
  })
  const { setFocus, setValue, reset } = form
  const { isDirty } = form.formState
  const wasDirty = useRef(false)
  const [subject, text] = form.watch(['subject', 'text'])
  useEffect(() => {
    if (!before) return setFocus('text')
    // what was typed before is an unsaved change of the template
    setValue('subject', before.subject, { shouldDirty: true })
    setValue('text', before.text, { shouldDirty: true })
  }, [before, setFocus, setValue])
  useEffect(() => {
    if (isDirty) draft.keep({ template: chosen, subject: subject ?? '', text: text ?? '' })
    else if (wasDirty.current) draft.discard()
    wasDirty.current = isDirty
  }, [draft, isDirty, chosen, subject, text])
  const isAsRestored = before !== undefined && before.text === text && before.subject === subject
  const onGone = useEffectEvent(() => {
    // words that were typed here since are another email
    if (!isAsRestored) return
    close()
    toast({ title: 'This email was sent or discarded in another tab', variant: 'default' })
  })
  useEffect(() => draft.onGone(() => onGone()), [draft])
  useEffect(() => {
    onDirty(isDirty)
    return () => onDirty(false)
  }, [onDirty, isDirty])
  const choose = (name: string) => {
    setChosen(name)
    reset(filled(name))
    draft.discard()
  }
  const close = () => {
    draft.discard()
    props.onClose()
  }
  return (
    <form
      noValidate
      aria-label="Email"
      onSubmit={form.onSubmit}
      css={{ display: 'grid', gap: space.base, marginTop: space.roomy }}
    >
      <p css={{ color: colour.soft, fontSize: type.small, overflowWrap: 'anywhere' }}>To {lead.email}</p>
      <Choice
        id="email-template"
        label="Template"
        value={chosen}
        choices={[...templates.map(({ name }) => ({ value: name, label: name })), { value: '', label: 'Empty' }]}
        onChoose={choose}
      />
      <TextField id="email-subject" label="Subject" required autoComplete="off" {...form.field('subject')} />
      <TextAreaField
        id="email-text"
        label="Text"
        required
        rows={9}
        dir="auto"
        css={{ fieldSizing: 'content', minHeight: '14rem', maxHeight: '32rem' }}
        {...form.field('text')}
      />
      <DraftNotice isShown={isAsRestored} />
      <FormProblem problem={form.problem} />
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        <Button type="submit" aria-disabled={form.isSending}>
          {form.isSending ? 'Sending...' : 'Send email'}
        </Button>
        <Button look="outline" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
