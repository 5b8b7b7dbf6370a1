import { useContext, useRef } from 'react'
import { DraftNotice } from '../../staff/drafts.tsx'
import { FormProblem } from '../../staff/form-problem.tsx'
import { EmailText } from '../../staff/leads/email-text.tsx'
import { MergedWords, quoted, writtenInMerged } from '../../staff/leads/merged-words.tsx'
import { Words } from '../../staff/leads/words.tsx'
import { UnfilledQuestion } from '../../staff/unfilled-question.tsx'
import { Button } from '../../ui/button.tsx'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { colour, onPhone, space, type } from '../../ui/theme.ts'
import { Choice } from './choice.tsx'
import { NewAnswer } from './new-answer.tsx'
import { PersonLeads } from './person-leads.ts'
import { type EmailFormProps, OWN_TEXT, useEmailForm } from './use-email-form.ts'

/**
 * What the visitor wrote, in the leads that were merged into this one too, to be read while it is answered: it may be out
 * of sight above, or beside the keyboard of a phone.
 */
const TheirWords = ({ lead }: Pick<EmailFormProps, 'lead'>) => {
  const merged = writtenInMerged(lead.id, useContext(PersonLeads))
  if (!lead.message && merged.length === 0) return null
  return (
    <details css={{ fontSize: type.small }}>
      <summary css={{ cursor: 'pointer', fontWeight: 600 }}>What they wrote</summary>
      <div css={{ display: 'grid', gap: space.snug, marginTop: space.tight }}>
        {lead.message && (
          <div css={quoted}>
            <Words lead={lead} />
          </div>
        )}
        {merged.length > 0 && <MergedWords leads={merged} />}
      </div>
    </details>
  )
}

/** Grows with the text as far as the subject, the text and `Send email` are in sight together, beside a phone's keyboard too. */
const textSize = {
  fieldSizing: 'content',
  minHeight: '9rem',
  maxHeight: 'clamp(9rem, 100dvh - 22rem, 32rem)',
  [onPhone]: { maxHeight: '13rem' },
  // what is scrolled to brings the buttons below it along
  scrollMarginBottom: '4.5rem',
} as const

/**
 * Where staff write an email to the person of a lead: from a template, with their words in it, to be changed before it is
 * sent. What was typed stays until it is sent or discarded, on the device too.
 */
export const EmailForm = (props: EmailFormProps) => {
  const { lead, templates } = props
  const { form, template, choose, aside, unfilled, news, isRestored, isDirty, close, discard } = useEmailForm(props)
  const element = useRef<HTMLFormElement>(null)
  const sendAfter = (allow: () => void) => {
    allow()
    element.current?.requestSubmit()
  }
  return (
    <form
      ref={element}
      noValidate
      aria-label="Email"
      onSubmit={form.onSubmit}
      css={{ display: 'grid', gap: space.snug, marginTop: space.base }}
    >
      <p css={{ color: colour.soft, fontSize: type.small, overflowWrap: 'anywhere' }}>
        To <EmailText email={lead.email} />
      </p>
      <TheirWords lead={lead} />
      <Choice
        id="email-template"
        label="Template"
        value={template}
        choices={[
          ...templates.map(({ name }) => ({ value: name, label: name })),
          { value: '', label: 'Empty' },
          ...(aside ? [{ value: OWN_TEXT, label: 'What you typed before' }] : []),
        ]}
        onChoose={choose}
      />
      <TextField id="email-subject" label="Subject" required autoComplete="off" {...form.field('subject')} />
      <TextAreaField id="email-text" label="Text" required rows={8} dir="auto" css={textSize} {...form.field('text')} />
      <DraftNotice isShown={isRestored} done="sent" />
      <FormProblem problem={form.problem} />
      <NewAnswer answer={news.answer} notice={news.notice} onSend={() => sendAfter(news.allow)} />
      <UnfilledQuestion question={unfilled.question} onSend={() => sendAfter(unfilled.allow)} />
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        <Button type="submit" aria-disabled={form.isSending}>
          {form.isSending ? 'Sending...' : 'Send email'}
        </Button>
        <Button look="outline" onClick={close}>
          {isDirty ? 'Keep for later' : 'Cancel'}
        </Button>
        {isDirty && (
          <Button look="quiet" aria-disabled={form.isSending} onClick={() => !form.isSending && discard()}>
            Discard
          </Button>
        )}
      </div>
    </form>
  )
}
