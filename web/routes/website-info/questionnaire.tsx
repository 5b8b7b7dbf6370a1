import { QUESTIONNAIRE_NOTICE } from '../../content/form-notices.ts'
import { QUESTIONNAIRE } from '../../content/questionnaire.ts'
import { Button } from '../../ui/button.tsx'
import { DataNote } from '../../ui/form/form-notice.tsx'
import { Honeypot } from '../../ui/form/honeypot.tsx'
import { QUESTIONNAIRE_FORM } from '../../ui/form/sent-details.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { colour, from, panel, space, type } from '../../ui/theme.ts'
import { Progress } from './progress.tsx'
import { QuestionField } from './question-field.tsx'
import { CALL, useWebsiteInfoForm } from './use-website-info-form.ts'

const sheet = {
  padding: space.roomy,
  ...panel,
  scrollMarginTop: '5rem',
  [from.medium]: { padding: '2rem' },
  [from.large]: { scrollMarginTop: space.base },
} as const

/** The website-information form. Without script it is posted as HTML. */
export const Questionnaire = () => {
  const { element, field, answered, reference, storeDraft, clear, onSubmit, isSending, ...rest } = useWebsiteInfoForm()
  const { failure, lazyParts, sent, answerAgain } = rest
  const discard = () => {
    if (confirm('Discard all your answers?')) clear()
  }
  const isSent = sent && lazyParts
  return (
    <div
      css={{
        display: 'grid',
        gap: space.roomy,
        [from.large]: { gridTemplateColumns: '17rem minmax(0, 1fr)', gap: '4rem', alignItems: 'start' },
      }}
    >
      {isSent ? (
        <div css={[sheet, { gridColumn: '1 / -1', maxWidth: '44rem' }]}>
          <lazyParts.SentAnswers sent={sent} onAnother={answerAgain} />
        </div>
      ) : (
        <Progress answered={answered} onDiscard={discard} />
      )}
      <form
        ref={element}
        method="post"
        action={CALL}
        // The boot script sets noValidate before this comes alive.
        suppressHydrationWarning
        aria-label="Website information"
        data-draft={QUESTIONNAIRE_FORM}
        onInput={storeDraft}
        onSubmit={onSubmit}
        css={{ display: 'grid', gap: space.roomy }}
        style={isSent && { display: 'none' }}
      >
        <Honeypot />
        {reference && (
          <p>
            For your contract <strong css={{ whiteSpace: 'nowrap' }}>{reference}</strong>
          </p>
        )}
        {QUESTIONNAIRE.map(({ id, title, intro, questions }) => (
          <section key={id} id={id} aria-labelledby={`${id}-title`} css={sheet}>
            <h2 id={`${id}-title`} css={{ fontSize: '1.5rem' }}>
              {title}
            </h2>
            <p css={{ margin: `${space.hair} 0 ${space.roomy}`, color: colour.soft }}>{intro}</p>
            <div
              css={{
                display: 'grid',
                gap: space.roomy,
                [from.medium]: { gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)' },
              }}
            >
              {questions.map((question) => (
                <QuestionField key={question.name} question={question} field={field} />
              ))}
            </div>
          </section>
        ))}
        <div css={{ display: 'grid', gap: space.base }}>
          {failure && lazyParts && <lazyParts.FailureNote {...failure} isSending={isSending} />}
          <Button type="submit" disabled={isSending} css={{ width: '100%', minHeight: '3.25rem', fontSize: type.lead }}>
            {isSending && <Spinner />}
            {isSending ? 'Submitting your information...' : 'Submit my information'}
          </Button>
          <DataNote>{QUESTIONNAIRE_NOTICE}</DataNote>
        </div>
      </form>
    </div>
  )
}
