import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { UseFormSetValue } from 'react-hook-form'
import type * as v from 'valibot'
import { answerEmailForm } from '../../../events/lead-answer.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import type { TimelineEntry } from '../../../events/wire/person.ts'
import type { Settings } from '../../../events/wire/settings.ts'
import { serverNow } from '../../server-time.ts'
import { useMe } from '../../staff/account.ts'
import { discardDraft } from '../../staff/discard-draft.ts'
import { emailSender, type WrittenEmail } from '../../staff/leads/answer.ts'
import type { emailDraft } from '../../staff/leads/lead-drafts.tsx'
import { useUnfilledQuestion } from '../../staff/unfilled-question.tsx'
import { useKeptWords } from '../../staff/use-kept-words.ts'
import { useStaffForm } from '../../staff/use-staff-form.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { useNewAnswer } from './new-answer.tsx'

type Templates = Settings['answerTemplates']['emails']

/** What an email is written with. */
export type EmailFormProps = {
  lead: Lead
  draft: ReturnType<typeof emailDraft>
  templates: Templates
  fill: (template: string) => string
  /** Whether somebody has just asked to write, so that the text takes the focus; says it once. */
  takeAsked: () => boolean
  /** The answers of this lead that hold, oldest first; undefined until they are known. */
  answers: readonly TimelineEntry[] | undefined
  /** Hears whether this device does not keep what was typed. */
  onLost: (isLost: boolean) => void
  onSent: (lead: Lead) => void
  onClose: () => void
  /** Opens the form again, with its draft. */
  onOpen: () => void
}

/** Among the templates the text that was typed before another one took its place; no template can have this name. */
export const OWN_TEXT = '\n'

const offerUndo = (title: string, run: () => void) =>
  toast({ title, variant: 'default', action: { label: 'Undo', run } })

/** Takes the focus to a field, and scrolls no further than until it is seen: what is answered stands above it. */
const focusInView = (id: string) => {
  const field = document.getElementById(id)
  field?.focus({ preventScroll: true })
  field?.scrollIntoView({ block: 'nearest' })
}

/** What was typed into a template before another one took its place. */
type Aside = WrittenEmail & { template: string }

const typeInto = (setValue: UseFormSetValue<v.InferInput<typeof answerEmailForm>>, { subject, text }: WrittenEmail) => {
  setValue('subject', subject, { shouldDirty: true })
  setValue('text', text, { shouldDirty: true })
}

/** Lets another template take the place of what was typed, which can be chosen again from then on. */
const useTemplateChoice = (now: {
  chosen: string
  /** What was typed into the chosen template, if anything was. */
  typed: WrittenEmail | undefined
  /** What a template had taken the place of when this was left. */
  asideBefore: Aside | undefined
  show: (template: string, typed?: WrittenEmail) => void
}) => {
  const { chosen, typed, asideBefore, show } = now
  const [aside, setAside] = useState(asideBefore)
  const choose = (name: string) => {
    const own = name === OWN_TEXT ? aside : undefined
    if (name === OWN_TEXT && !own) return
    show(own?.template ?? name, own)
    if (typed || own) setAside(typed && { template: chosen, ...typed })
    if (typed && !own) offerUndo('The template took the place of your text', () => latest.current(OWN_TEXT))
  }
  // the notice outlives what is typed meanwhile
  const latest = useRef(choose)
  useEffect(() => {
    latest.current = choose
  })
  return { chosen, choose, aside }
}

const isSame = (one: WrittenEmail, { subject, text }: TimelineEntry['data']) =>
  one.subject.trim() === subject && one.text.trim() === text

/**
 * Tells of an answer since the email was begun. One's own calls and messages are no news, and neither is the email itself as
 * it is `written` now, where the answer to a try was lost: the same again goes out once. Sent from another tab it is news.
 */
const useNews = (
  { answers }: EmailFormProps,
  { before, written }: { before: ReturnType<EmailFormProps['draft']['read']>; written: WrittenEmail },
) => {
  const { data: me } = useMe()
  const [begunAt] = useState(() => before?.begunAt ?? serverNow().toISOString())
  const [tried, setTried] = useState<WrittenEmail | undefined>(before?.tried)
  const isSentAgain = (data: TimelineEntry['data']) =>
    tried !== undefined && isSame(tried, data) && isSame(written, data)
  const isOwn = ({ kind, by, data }: TimelineEntry) =>
    by === me?.displayName && (kind !== 'answer_email' || isSentAgain(data))
  const news = useNewAnswer({ answers, knownBefore: before?.known, begunAt, isOwn })
  return { ...news, begunAt, tried, noteTry: setTried }
}

/** Closes the form with what was typed kept for later, or gives that up, with an undo. */
const waysToLeave = ({ draft, onClose, onOpen }: EmailFormProps, isDirty: boolean) => ({
  close: () => {
    onClose()
    if (!isDirty) return
    const description = 'It stays on this device for 7 days, or until you sign out.'
    toast({ title: 'Email kept', description, variant: 'default' })
  },
  discard: () =>
    discardDraft(draft, { title: 'Email discarded', begun: 'You have begun another email', onClose, onOpen }),
})

/** An email that is being written: its template, its text, and the draft that keeps both until it is stored. */
export const useEmailForm = (props: EmailFormProps) => {
  const { lead, draft, templates, fill, onLost, onSent } = props
  const [send] = useState(() => emailSender(lead.id, draft.keyFor))
  const [before] = useState(() => draft.read())
  const filled = (name: string): WrittenEmail => {
    const template = templates.find((each) => each.name === name)
    return { subject: fill(template?.subject ?? ''), text: fill(template?.text ?? '') }
  }
  const [chosen, setChosen] = useState(before?.template ?? templates[0]?.name ?? '')
  const unfilled = useUnfilledQuestion()
  const form = useStaffForm(answerEmailForm, {
    isKept: true,
    defaultValues: filled(chosen),
    send: async (email) => {
      if (!news.mayGo()) return
      if (!unfilled.mayGo(`${email.subject}\n${email.text}`)) return
      news.noteTry(email)
      const answered = await send(email)
      draft.discard()
      onSent(answered)
    },
  })
  const { setValue, reset } = form
  const { isDirty } = form.formState
  const wasDirty = useRef(false)
  const written = { subject: form.watch('subject') ?? '', text: form.watch('text') ?? '' }
  const { subject, text } = written
  const news = useNews(props, { before, written })
  const templateChoice = useTemplateChoice({
    chosen,
    typed: isDirty ? written : undefined,
    asideBefore: before?.aside,
    show: (template, typed) => {
      setChosen(template)
      reset(filled(template))
      if (typed) typeInto(setValue, typed)
    },
  })
  const { aside } = templateChoice
  useEffect(() => {
    // what was typed before is an unsaved change of the template
    if (before) typeInto(setValue, before)
  }, [before, setValue])
  const onShown = useEffectEvent(() => props.takeAsked() && focusInView('email-text'))
  useEffect(() => void onShown(), [])
  const { begunAt, known, tried } = news
  useEffect(() => {
    const optional = { ...(aside && { aside }), ...(known && { known }), ...(tried && { tried }) }
    if (isDirty || aside) draft.keep({ template: chosen, subject, text, begunAt, ...optional })
    else if (wasDirty.current) draft.discard()
    wasDirty.current = isDirty || aside !== undefined
  }, [draft, isDirty, chosen, subject, text, aside, begunAt, known, tried])
  const isAsRestored = before !== undefined && before.text === text && before.subject === subject
  const onGone = useEffectEvent(() => {
    // words that were typed here since are another email
    if (!isAsRestored) return
    props.onClose()
    toast({ title: 'This email was sent or discarded in another tab', variant: 'default' })
  })
  useEffect(() => draft.onGone(() => onGone()), [draft])
  useKeptWords(draft, { isDirty, onLost })
  return { form, ...templateChoice, unfilled, news, isAsRestored, isDirty, ...waysToLeave(props, isDirty) }
}
