import { useEffect, useEffectEvent, useReducer, useState } from 'react'
import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'
import { answerEmailForm } from '../../../../events/lead/reply/answer.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import type { EmailTemplate } from '../../../../events/settings/replies.ts'
import { serverNow } from '../../../client/server-time.ts'
import { toast } from '../../../ui/toast/toasts.ts'
import { useMe } from '../../account/account.ts'
import { discardDraft, useDraft } from '../../drafts/drafts.tsx'
import { useUnsavedText } from '../../drafts/unsaved.ts'
import { useUnfilledQuestion } from '../../forms/unfilled-question.tsx'
import { useStaffForm } from '../../forms/use-staff-form.ts'
import { emailSender, type WrittenEmail } from '../contact/answer.ts'
import type { emailDraft } from '../shown/lead-drafts.tsx'
import { useNewAnswer } from './new-answer.tsx'

export type EmailFormProps = {
  lead: Lead
  draft: ReturnType<typeof emailDraft>
  templates: readonly EmailTemplate[]
  fill: (template: string) => string
  /** Whether the form was just opened to write, so that the text takes the focus; true only once. */
  takeFocusRequest: () => boolean
  /** The replies to this lead that were not undone, oldest first; undefined until they are known. */
  answers: readonly TimelineEntry[] | undefined
  onSent: (lead: Lead) => void
  onClose: () => void
  /** Opens the form again, with its draft. */
  onOpen: () => void
}

/** The option for the text that was typed before a template replaced it; no template can have this name. */
export const OWN_TEXT = '\n'

/** Text that was typed before another template replaced it, with its own template. */
type Aside = WrittenEmail & { template: string }

/**
 * An email as it is written, from `template`, which was filled in as `start`:
 *
 * - `idle`: it is as the template has it.
 * - `restored`: it is as this device had stored it.
 * - `typing`: it was changed since then.
 * - `sending`: it is being sent, as `tried`, until it is accepted, which closes the form, or `refused`.
 *
 * Any change leads to `typing`, any template to `idle`. `aside` can be chosen again among the templates.
 */
type Writing = {
  name: 'idle' | 'restored' | 'typing' | 'sending' | 'refused'
  template: string
  start: WrittenEmail
  begunAt: string
  aside: Aside | undefined
  tried: WrittenEmail | undefined
}

type WritingEvent =
  | { type: 'typed' }
  | { type: 'chosen'; template: string; start: WrittenEmail; isOwn: boolean; aside: Aside | undefined }
  | { type: 'sent'; email: WrittenEmail }
  | { type: 'refused' }

const evolveWriting = (now: Writing, event: WritingEvent): Writing => {
  switch (event.type) {
    case 'typed':
      return { ...now, name: 'typing' }
    case 'chosen': {
      const { template, start, isOwn, aside } = event
      return { ...now, name: isOwn ? 'typing' : 'idle', template, start, aside }
    }
    case 'sent':
      return { ...now, name: 'sending', tried: event.email }
    case 'refused':
      return { ...now, name: 'refused' }
    default:
      event satisfies never
      return now
  }
}

/** Focuses a field, and scrolls only until it is visible: the message to reply to is above it. */
const focusInView = (id: string) => {
  const field = document.getElementById(id)
  field?.focus({ preventScroll: true })
  field?.scrollIntoView({ block: 'nearest' })
}

/**
 * Reports a reply that came after the email was begun. One's own calls and messages are not reported, and neither is
 * the email itself as it is `written` now, if the response to an attempt was lost: the same one is sent only once. If
 * another tab sent it, it is reported.
 */
const useNewAnswers = (
  { answers }: EmailFormProps,
  {
    begunAt,
    tried,
    knownBefore,
    written,
  }: Pick<Writing, 'begunAt' | 'tried'> & {
    knownBefore: readonly string[] | undefined
    written: WrittenEmail
  },
) => {
  const { data: me } = useMe()
  const isStoredAs = (one: WrittenEmail, { subject, text }: TimelineEntry['data']) =>
    one.subject.trim() === subject && one.text.trim() === text
  const isSentAgain = (data: TimelineEntry['data']) =>
    tried !== undefined && isStoredAs(tried, data) && isStoredAs(written, data)
  const isOwn = ({ kind, by, data }: TimelineEntry) =>
    by === me?.displayName && (kind !== 'answer_email' || isSentAgain(data))
  return useNewAnswer({ answers, knownBefore, begunAt, isOwn })
}

/** An email that is being written: its template, its text, and the draft that stores both until it is sent. */
export const useEmailForm = (props: EmailFormProps) => {
  const { lead, templates, fill, onSent, onClose, onOpen } = props
  const { draft, before, isStored } = useDraft(() => props.draft, {
    onRemoved: () => {
      // text that was typed here since then is another email
      if (writing.name !== 'restored') return
      onClose()
      toast({ title: 'This email was sent or discarded in another tab' })
    },
  })
  const filled = (name: string): WrittenEmail => {
    const template = templates.find((each) => each.name === name)
    return { subject: fill(template?.subject ?? ''), text: fill(template?.text ?? '') }
  }
  const [writing, dispatch] = useReducer(evolveWriting, undefined, (): Writing => {
    const template = before?.template ?? templates[0]?.name ?? ''
    return {
      name: before ? 'restored' : 'idle',
      template,
      start: filled(template),
      begunAt: before?.begunAt ?? serverNow().toISOString(),
      aside: before?.aside,
      tried: before?.tried,
    }
  })
  const { template, start, aside, begunAt, tried } = writing
  const [send] = useState(() => emailSender(lead.id, draft.keyFor))
  const unfilled = useUnfilledQuestion()
  const form = useStaffForm(answerEmailForm, {
    isStored: true,
    defaultValues: before ? { subject: before.subject, text: before.text } : start,
    send: async (email) => {
      if (!newAnswers.mayGo()) return
      if (!unfilled.mayGo(`${email.subject}\n${email.text}`)) return
      dispatch({ type: 'sent', email })
      try {
        const answered = await send(email)
        draft.discard()
        onSent(answered)
      } catch (error) {
        dispatch({ type: 'refused' })
        throw error
      }
    },
  })
  const { watch, reset } = form
  const subject = watch('subject') ?? ''
  const text = watch('text') ?? ''
  const isDirty = subject !== start.subject || text !== start.text
  const newAnswers = useNewAnswers(props, { begunAt, tried, knownBefore: before?.known, written: { subject, text } })
  const { known } = newAnswers

  const choose = (name: string) => {
    const own = name === OWN_TEXT ? aside : undefined
    if (name === OWN_TEXT && !own) return
    const chosen = own?.template ?? name
    const typed = isDirty ? { template, subject, text } : undefined
    const next = filled(chosen)
    reset(own ? { subject: own.subject, text: own.text } : next)
    dispatch({
      type: 'chosen',
      template: chosen,
      start: next,
      isOwn: own !== undefined,
      aside: typed || own ? typed : aside,
    })
    if (!typed || own) return
    const action = { label: 'Undo', run: () => chooseOwn() }
    toast({ title: 'The template took the place of your text', action })
  }
  // the toast stays while more text is typed
  const chooseOwn = useEffectEvent(() => choose(OWN_TEXT))

  useEffect(
    () =>
      watch((_, { type }) => {
        if (type === 'change') dispatch({ type: 'typed' })
      }).unsubscribe,
    [watch],
  )
  const isComplete = props.answers !== undefined
  useEffect(() => {
    // the lists above the form have their height only now
    const { activeElement } = document
    if (isComplete && activeElement?.id === 'email-text') activeElement.scrollIntoView({ block: 'nearest' })
  }, [isComplete])
  const onShown = useEffectEvent(() => props.takeFocusRequest() && focusInView('email-text'))
  useEffect(() => void onShown(), [])
  useEffect(() => {
    const optional = { ...(aside && { aside }), ...(known && { known }), ...(tried && { tried }) }
    if (isDirty || aside) draft.store({ template, subject, text, begunAt, ...optional })
    else if (draft.isStored()) draft.discard()
  }, [draft, isDirty, template, subject, text, aside, begunAt, known, tried])
  useUnsavedText(isDirty, isStored)

  return {
    form,
    template,
    choose,
    aside,
    unfilled,
    newAnswers,
    isRestored: writing.name === 'restored',
    isDirty,
    /** Closes the form; the draft stays stored. */
    close: () => {
      onClose()
      if (!isDirty) return
      const description = 'It stays on this device for 7 days, or until you sign out.'
      toast({ title: 'Email kept', description })
    },
    discard: () =>
      discardDraft(draft, { title: 'Email discarded', begun: 'You have begun another email', onClose, onOpen }),
  }
}
