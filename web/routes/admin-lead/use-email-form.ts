import { useEffect, useEffectEvent, useRef, useState } from 'react'
import * as v from 'valibot'
import { answerEmailForm } from '../../../events/lead-answer.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import type { TimelineEntry } from '../../../events/wire/person.ts'
import type { Settings } from '../../../events/wire/settings.ts'
import { FORMER_COLLEAGUE } from '../../staff/colleagues.ts'
import { staffDraft } from '../../staff/drafts.ts'
import { emailSender, type WrittenEmail } from '../../staff/leads/answer.ts'
import { momentOf } from '../../staff/leads/day.ts'
import { useUnfilledQuestion } from '../../staff/unfilled-question.tsx'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { toast } from '../../ui/toast/toasts.ts'

type Templates = Settings['answerTemplates']['emails']

/** An email that an account has begun to write to the person of a lead. */
export const emailDraft = (accountId: string, leadId: string) =>
  staffDraft(
    accountId,
    `lead-${leadId}-email`,
    v.object({ template: v.string(), subject: v.string(), text: v.string() }),
  )

/** What an email is written with. `onDirty` hears whether something was typed that is not stored. */
export type EmailFormProps = {
  lead: Lead
  draft: ReturnType<typeof emailDraft>
  templates: Templates
  fill: (template: string) => string
  /** Who has answered this lead last, and when; null for nobody, undefined until that is known. */
  lastAnswer: TimelineEntry | null | undefined
  onDirty: (isDirty: boolean) => void
  onSent: (lead: Lead) => void
  onClose: () => void
  /** Opens the form again, with its draft. */
  onOpen: () => void
}

/** Asks before an email goes to somebody who has been answered while it was written: the next try sends it. */
const useOvertaken = (lastAnswer: TimelineEntry | null | undefined) => {
  const known = useRef(lastAnswer)
  useEffect(() => {
    if (known.current === undefined) known.current = lastAnswer
  }, [lastAnswer])
  const [overtaken, setOvertaken] = useState<string>()
  const isOvertaken = () => {
    const isNews = known.current !== undefined && lastAnswer && lastAnswer.id !== known.current?.id
    known.current = lastAnswer
    setOvertaken(
      isNews
        ? `${lastAnswer.by ?? FORMER_COLLEAGUE} answered this lead while you were writing (${momentOf(lastAnswer.timestamp)}). Look at the timeline, then send again if your email is still needed.`
        : undefined,
    )
    return Boolean(isNews)
  }
  return { overtaken, isOvertaken }
}

const offerUndo = (title: string, run: () => void) =>
  toast({ title, variant: 'default', action: { label: 'Undo', run } })

/** Takes the focus to a field, and scrolls no further than until it is seen: what is answered stands above it. */
const focusInView = (id: string) => {
  const field = document.getElementById(id)
  field?.focus({ preventScroll: true })
  field?.scrollIntoView({ block: 'nearest' })
}

/** An email that is being written: its template, its text, and the draft that keeps both until it is stored. */
export const useEmailForm = (props: EmailFormProps) => {
  const { lead, draft, templates, fill, lastAnswer, onDirty, onSent } = props
  const [send] = useState(() => emailSender(lead.id, draft.keyFor))
  const [before] = useState(() => draft.read())
  const filled = (name: string): WrittenEmail => {
    const template = templates.find((each) => each.name === name)
    return { subject: fill(template?.subject ?? ''), text: fill(template?.text ?? '') }
  }
  const [chosen, setChosen] = useState(before?.template ?? templates[0]?.name ?? '')
  const unfilled = useUnfilledQuestion()
  const { overtaken, isOvertaken } = useOvertaken(lastAnswer)
  const wasTried = useRef(false)
  const form = useStaffForm(answerEmailForm, {
    isKept: true,
    defaultValues: filled(chosen),
    send: async (email) => {
      // a try whose answer was lost may be the last answer itself
      if (!wasTried.current && isOvertaken()) return
      if (!unfilled.mayGo(`${email.subject}\n${email.text}`)) return
      wasTried.current = true
      const answered = await send(email)
      draft.discard()
      onSent(answered)
    },
  })
  const { setValue, reset } = form
  const { isDirty } = form.formState
  const wasDirty = useRef(false)
  const [subject, text] = form.watch(['subject', 'text'])
  useEffect(() => {
    if (!before) return focusInView('email-text')
    // what was typed before is an unsaved change of the template
    setValue('subject', before.subject, { shouldDirty: true })
    setValue('text', before.text, { shouldDirty: true })
  }, [before, setValue])
  useEffect(() => {
    if (isDirty) draft.keep({ template: chosen, subject: subject ?? '', text: text ?? '' })
    else if (wasDirty.current) draft.discard()
    wasDirty.current = isDirty
  }, [draft, isDirty, chosen, subject, text])
  const isAsRestored = before !== undefined && before.text === text && before.subject === subject
  const onGone = useEffectEvent(() => {
    // words that were typed here since are another email
    if (!isAsRestored) return
    props.onClose()
    toast({ title: 'This email was sent or discarded in another tab', variant: 'default' })
  })
  useEffect(() => draft.onGone(() => onGone()), [draft])
  useEffect(() => {
    onDirty(isDirty)
    return () => onDirty(false)
  }, [onDirty, isDirty])
  const choose = (name: string) => {
    const typed = isDirty ? { subject: subject ?? '', text: text ?? '' } : undefined
    setChosen(name)
    reset(filled(name))
    draft.discard()
    if (!typed) return
    const takeBack = () => {
      setChosen(chosen)
      reset(filled(chosen))
      setValue('subject', typed.subject, { shouldDirty: true })
      setValue('text', typed.text, { shouldDirty: true })
    }
    offerUndo('The template took the place of your text', takeBack)
  }
  const discard = () => {
    const putBack = draft.discard()
    props.onClose()
    offerUndo('Email discarded', () => {
      if (putBack()) props.onOpen()
      else toast({ title: 'You have begun another email', variant: 'destructive' })
    })
  }
  return { form, chosen, choose, unfilled, overtaken, isAsRestored, isDirty, discard }
}
