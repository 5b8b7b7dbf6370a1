import { useFieldArray } from 'react-hook-form'
import { cannedRepliesForm } from '../../../events/settings/canned-replies.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { from, space } from '../../ui/theme.ts'
import { LEVEL_WITH_FIELDS, ListRows, RemoveRow } from './list-rows.tsx'
import { SettingsForm } from './settings-form.tsx'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** The replies, read-only. */
const RepliesList = ({ settings: { cannedReplies: replies } }: { settings: Settings }) =>
  replies.length === 0 ? (
    <p>None.</p>
  ) : (
    <dl css={{ display: 'grid', gap: space.base }}>
      {replies.map(({ shortcut, text }) => (
        <div key={shortcut}>
          <dt css={{ fontWeight: 600 }}>/{shortcut}</dt>
          <dd css={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</dd>
        </div>
      ))}
    </dl>
  )

const valuesOf = ({ cannedReplies }: Settings) => ({ replies: cannedReplies })

/** Replies that staff often send, for owners to change. */
const CannedRepliesForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, CANNED_REPLIES, cannedRepliesForm, valuesOf)
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'replies' })
  return (
    <SettingsForm form={form}>
      <ListRows
        id="replies"
        rows={fields}
        isLined
        none="There are no canned replies."
        problem={form.formState.errors.replies}
        add="Add a reply"
        onAdd={() => append({ shortcut: '', text: '' })}
        look={{
          alignItems: 'start',
          [from.medium]: { gridTemplateColumns: '10rem minmax(0, 1fr) auto', padding: 0, border: 0 },
        }}
      >
        {(index) => (
          <>
            <TextField
              id={`reply-${index}-shortcut`}
              label="Shortcut"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              {...form.field(`replies.${index}.shortcut`)}
            />
            <TextAreaField
              id={`reply-${index}-text`}
              label="Reply"
              rows={2}
              css={{ fieldSizing: 'content', minHeight: '4.25rem', maxHeight: '16rem' }}
              {...form.field(`replies.${index}.text`)}
            />
            <RemoveRow
              label={`Remove reply ${index + 1}`}
              onClick={() => remove(index)}
              css={{ [from.medium]: { marginTop: LEVEL_WITH_FIELDS } }}
            />
          </>
        )}
      </ListRows>
    </SettingsForm>
  )
}

export const CANNED_REPLIES: PartSection = {
  id: 'canned-replies',
  noun: 'canned replies',
  intro: 'Answers that you give often. Type / and the shortcut in chat.',
  Form: CannedRepliesForm,
  Shown: RepliesList,
}
