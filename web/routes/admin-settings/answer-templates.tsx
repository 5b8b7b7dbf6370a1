import { useFieldArray } from 'react-hook-form'
import { type AnswerTemplates, answerTemplatesForm } from '../../../events/settings/answer-templates.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { Button } from '../../ui/button.tsx'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'
import { ListRows } from './list-rows.tsx'
import { SaveBar } from './save-bar.tsx'
import { type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

const Text = ({ title, children }: { title: string; children: string }) => (
  <div>
    <dt css={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{title}</dt>
    <dd css={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{children}</dd>
  </div>
)

/** The templates, read-only. */
export const TemplatesList = ({ templates }: { templates: AnswerTemplates }) => (
  <dl css={{ display: 'grid', gap: space.base }}>
    {templates.emails.map(({ name, subject, text }) => (
      <Text key={name} title={`${name}: ${subject}`}>
        {text}
      </Text>
    ))}
    <Text title="WhatsApp">{templates.whatsapp}</Text>
  </dl>
)

const growing = { fieldSizing: 'content', minHeight: '6rem', maxHeight: '24rem' } as const

const valuesOf = ({ answerTemplates }: Settings) => answerTemplates

/** The templates of replies to leads, for owners to change. */
export const AnswerTemplatesForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, 'answer-templates', answerTemplatesForm, valuesOf)
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'emails' })
  return (
    <form noValidate onSubmit={form.onSubmit} aria-label="Answer templates">
      <ListRows
        id="templates"
        rows={fields}
        none="There are no email templates."
        problem={form.formState.errors.emails}
        add="Add a template"
        onAdd={() => append({ name: '', subject: '', text: '' })}
      >
        {(index) => (
          <>
            <TextField
              id={`template-${index}-name`}
              label="Name"
              autoComplete="off"
              {...form.field(`emails.${index}.name`)}
            />
            <TextField
              id={`template-${index}-subject`}
              label="Subject"
              autoComplete="off"
              {...form.field(`emails.${index}.subject`)}
            />
            <TextAreaField
              id={`template-${index}-text`}
              label="Text"
              rows={4}
              css={growing}
              {...form.field(`emails.${index}.text`)}
            />
            <Button
              look="quiet"
              aria-label={`Remove template ${index + 1}`}
              onClick={() => remove(index)}
              css={{ justifySelf: 'start' }}
            >
              Remove
            </Button>
          </>
        )}
      </ListRows>
      <div css={{ marginTop: space.base }}>
        <TextAreaField id="template-whatsapp" label="WhatsApp message" rows={3} {...form.field('whatsapp')} />
      </div>
      <SaveBar what="answer templates" bar={form}>
        {form.conflict && <TemplatesList templates={form.conflict.settings.answerTemplates} />}
      </SaveBar>
    </form>
  )
}
