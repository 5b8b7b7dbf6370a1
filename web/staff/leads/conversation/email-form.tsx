import { useContext, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Labelled, TextAreaField, TextField } from '../../../ui/form/field.tsx'
import { colour, onPhone, space, type } from '../../../ui/theme.ts'
import { DraftNote } from '../../drafts/drafts.tsx'
import { FormProblem } from '../../forms/form-problem.tsx'
import { Select } from '../../forms/select.tsx'
import { submitOnKeys } from '../../forms/submit-on-keys.ts'
import { UnfilledQuestion } from '../../forms/unfilled-question.tsx'
import { EmailText } from '../contact/email-text.tsx'
import { Words } from '../shown/lead-message.tsx'
import { MergedWords, quoted, writtenInMerged } from '../shown/merged-messages.tsx'
import { NewAnswer } from './new-answer.tsx'
import { PersonLeads } from './person-leads.ts'
import { type EmailFormProps, OWN_TEXT, useEmailForm } from './use-email-form.ts'

/**
 * The visitor's messages, including those of the leads that were merged into this one, to read while replying: the
 * message may be out of view above, or behind the keyboard of a phone.
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

/**
 * Grows with the text as long as the subject, the text and `Send email` are visible together, also above a phone's
 * keyboard.
 */
const textSize = {
  fieldSizing: 'content',
  minHeight: '9rem',
  maxHeight: 'clamp(9rem, 100dvh - 22rem, 32rem)',
  [onPhone]: { maxHeight: '13rem' },
  // scrolling to the text makes the buttons below it visible too
  scrollMarginBottom: '4.5rem',
} as const

/**
 * The form in which staff write an email to the person of a lead: from a template, filled in with the lead's data, to
 * be changed before it is sent. The typed text stays until it is sent or discarded, on the device too.
 */
export const EmailForm = (props: EmailFormProps) => {
  const { lead, templates } = props
  const { form, template, choose, aside, unfilled, newAnswers, isRestored, isDirty, close, discard } =
    useEmailForm(props)
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
      onKeyDown={submitOnKeys}
      css={{ display: 'grid', gap: space.tight }}
    >
      <p css={{ color: colour.soft, fontSize: type.small, overflowWrap: 'anywhere' }}>
        To <EmailText email={lead.email} />
      </p>
      <TheirWords lead={lead} />
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight, '& > *': { flex: '1 1 10rem' } }}>
        <Labelled id="email-template" label="Template">
          <Select
            id="email-template"
            value={template}
            choices={[
              ...templates.map(({ name }) => [name, name] as const),
              ['', 'Empty'],
              ...(aside ? [[OWN_TEXT, 'What you typed before'] as const] : []),
            ]}
            onChoose={choose}
          />
        </Labelled>
        <TextField id="email-subject" label="Subject" required autoComplete="off" {...form.field('subject')} />
      </div>
      <TextAreaField id="email-text" label="Text" required rows={8} dir="auto" css={textSize} {...form.field('text')} />
      <DraftNote isShown={isRestored} done="sent" />
      <FormProblem problem={form.problem} />
      <NewAnswer answer={newAnswers.answer} panel={newAnswers.panel} onSend={() => sendAfter(newAnswers.allow)} />
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
