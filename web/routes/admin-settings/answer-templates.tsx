import { useFieldArray } from 'react-hook-form'
import { answerTemplatesForm } from '../../../events/settings/answer-templates.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'
import { ListRows, RemoveRow } from './list-rows.tsx'
import { SettingsForm } from './settings-form.tsx'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

const Text = ({ title, children }: { title: string; children: string }) => (
  <div>
    <dt css={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{title}</dt>
    <dd css={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{children}</dd>
  </div>
)

/** The templates, read-only. */
const TemplatesList = ({ settings: { answerTemplates: templates } }: { settings: Settings }) => (
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
const AnswerTemplatesForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, ANSWER_TEMPLATES, answerTemplatesForm, valuesOf)
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'emails' })
  return (
    <SettingsForm form={form}>
      <ListRows
        id="templates"
        rows={fields}
        isLined
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
            <RemoveRow label={`Remove template ${index + 1}`} onClick={() => remove(index)} />
          </>
        )}
      </ListRows>
      <div css={{ marginTop: space.base }}>
        <TextAreaField id="template-whatsapp" label="WhatsApp message" rows={3} {...form.field('whatsapp')} />
      </div>
    </SettingsForm>
  )
}

export const ANSWER_TEMPLATES: PartSection = {
  id: 'answer-templates',
  noun: 'answer templates',
  intro:
    'Emails and the WhatsApp message to leads. {name}, {business}, {package}, {reference}, {agency} and {me} are filled in.',
  Form: AnswerTemplatesForm,
  Shown: TemplatesList,
}
