import { useFieldArray } from 'react-hook-form'
import { repliesForm, shortcutOf } from '../../../events/settings/replies.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { CheckField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { from, space } from '../../ui/theme.ts'
import { ListRows, RemoveRow } from './list-rows.tsx'
import { SettingsForm } from './settings-form.tsx'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

const PLACES = [
  ['chat', 'Chat'],
  ['email', 'Email'],
  ['whatsapp', 'WhatsApp'],
] as const

const valuesOf = ({ replies }: Settings) => ({
  replies: replies.map((each) => ({ ...each, subject: each.subject ?? '' })),
})

const RepliesList = ({ settings: { replies } }: { settings: Settings }) =>
  replies.length === 0 ? (
    <p>None.</p>
  ) : (
    <dl css={{ display: 'grid', gap: space.base }}>
      {replies.map((each) => (
        <div key={each.name} css={{ overflowWrap: 'anywhere' }}>
          <dt css={{ fontWeight: 600 }}>
            {each.chat ? `/${shortcutOf(each.name)}` : each.name}
            {each.subject && `: ${each.subject}`}
          </dt>
          <dd css={{ margin: 0, whiteSpace: 'pre-wrap' }}>{each.text}</dd>
        </div>
      ))}
    </dl>
  )

const EMPTY = { name: '', subject: '', text: '', chat: true, email: false, whatsapp: false }

const RepliesForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, REPLIES, repliesForm, valuesOf)
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'replies' })
  const typed = form.watch('replies')
  return (
    <SettingsForm form={form}>
      <ListRows
        id="replies"
        rows={fields}
        isLined
        none="No replies yet."
        problem={form.formState.errors.replies}
        add="Add a reply"
        onAdd={() => append(EMPTY)}
      >
        {(index) => (
          <>
            <div
              css={{
                display: 'grid',
                alignItems: 'start',
                gap: space.snug,
                [from.medium]: { gridTemplateColumns: 'minmax(0, 1fr) auto' },
              }}
            >
              <TextField
                id={`reply-${index}-name`}
                label="Name"
                hint={typed[index]?.chat && `Type /${shortcutOf(typed[index].name ?? '')} in chat.`}
                autoComplete="off"
                {...form.field(`replies.${index}.name`)}
              />
              <fieldset css={{ display: 'flex', flexWrap: 'wrap', gap: `0 ${space.base}` }}>
                <legend css={{ padding: 0, fontWeight: 600 }}>Use it in</legend>
                {PLACES.map(([place, label]) => (
                  <CheckField
                    key={place}
                    id={`reply-${index}-${place}`}
                    label={label}
                    {...form.field(`replies.${index}.${place}`)}
                  />
                ))}
              </fieldset>
            </div>
            {typed[index]?.email && (
              <TextField
                id={`reply-${index}-subject`}
                label="Subject"
                autoComplete="off"
                {...form.field(`replies.${index}.subject`)}
              />
            )}
            <TextAreaField
              id={`reply-${index}-text`}
              label="Text"
              rows={2}
              css={{ fieldSizing: 'content', minHeight: '4.25rem', maxHeight: '24rem' }}
              {...form.field(`replies.${index}.text`)}
            />
            <RemoveRow label={`Remove reply ${index + 1}`} onClick={() => remove(index)} />
          </>
        )}
      </ListRows>
    </SettingsForm>
  )
}

export const REPLIES: PartSection = {
  id: 'replies',
  noun: 'replies',
  intro:
    'Texts that you send often. Email and WhatsApp fill in {name}, {business}, {package}, {reference}, {agency} and {me}. WhatsApp begins with the first one ticked.',
  Form: RepliesForm,
  Shown: RepliesList,
}
